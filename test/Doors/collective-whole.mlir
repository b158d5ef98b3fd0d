// A collective outside of a forall over threads: all threads of the workgroup do the
// same there, so that there is one tensor already. Barriers come where they are needed.

// RUN: memspace-test-opt %s -memspace-kernel-pipeline=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=whole --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '4 * (63 - i)'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=region --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '(63 - i) + 1'

// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// One after the other, in a loop, of vectors as well.
// CHECK-LABEL: @whole
// CHECK-NOT: door.
func.func @whole(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : tensor<64xf32>, vector<64xf32>
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %f = bufferization.alloc_tensor() : tensor<64xf32>
  %last:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%w = %v, %g = %f) -> (vector<64xf32>, tensor<64xf32>) {
    %d = arith.addf %w, %w : vector<64xf32>
    %i0 = vector.transfer_write %d, %e[%c0] {in_bounds = [true]} : vector<64xf32>, tensor<64xf32>
    %m:2 = door.meet %i0, %d : tensor<64xf32>, vector<64xf32> -> tensor<64xf32>, vector<64xf32>
    %r = vector.transfer_read %m#0[%c0], %zero {in_bounds = [true]} : tensor<64xf32>, vector<64xf32>
    %h = vector.transfer_write %m#1, %g[%c0] {in_bounds = [true]} : vector<64xf32>, tensor<64xf32>
    %n = door.meet %h : tensor<64xf32> -> tensor<64xf32>
    scf.yield %r, %n : vector<64xf32>, tensor<64xf32>
  }
  %s = scf.forall (%t) in (64) shared_outs(%p = %o) -> tensor<64xf32> {
    %u = arith.subi %c63, %t : index
    %q = tensor.extract_slice %last#1[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %p[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// What a forall in the region makes is one tensor behind it.
// CHECK-LABEL: @region
// CHECK-NOT: door.
func.func @region(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c63 = arith.constant 63 : index
  %one = arith.constant 1.0 : f32
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %all = door.together(%e : tensor<64xf32>) {
  ^bb0(%shared: tensor<64xf32>):
    %a = scf.forall (%t) in (64) shared_outs(%p = %shared) -> tensor<64xf32> {
      %v = tensor.extract %x[%t] : tensor<64xf32>
      %w = arith.addf %v, %one : f32
      %q = tensor.from_elements %w : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %q into %p[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    door.give %a : tensor<64xf32>
  } : tensor<64xf32>
  %s = scf.forall (%t) in (64) shared_outs(%p = %o) -> tensor<64xf32> {
    %u = arith.subi %c63, %t : index
    %q = tensor.extract_slice %all[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %p[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
