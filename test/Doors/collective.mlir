// What each thread inserts and all read: SPMD tensors (design section 13).

// RUN: memspace-test-opt %s -split-input-file -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s

// The shared tile is of the workgroup, although an iteration of the forall
// names it; the accumulator is the thread's. Two barriers for each step: what
// was inserted before it is read, and what was read before the next insertion.
// CHECK-LABEL: @matmul_like
// CHECK: memref.alloc{{.*}}#gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @matmul_like(%in: memref<256xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%acc = %zero) -> f32 {
      %all = door.together(%tile : tensor<64xf32>) {
      ^bb0(%shared: tensor<64xf32>):
        %from = arith.addi %k, %t : index
        %mine = tensor.extract_slice %x[%from] [1] [1] : tensor<256xf32> to tensor<1xf32>
        %inserted = tensor.insert_slice %mine into %shared[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
        door.give %inserted : tensor<64xf32>
      } : tensor<64xf32>
      %next = scf.for %j = %c0 to %c64 step %c1 iter_args(%a = %acc) -> f32 {
        %v = tensor.extract %all[%j] : tensor<64xf32>
        %b = arith.addf %a, %v : f32
        scf.yield %b : f32
      }
      scf.yield %next : f32
    }
    %q = tensor.from_elements %sum : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Without a region; the tensor is allocated inside, by all threads alike.
// CHECK-LABEL: @reverse
// CHECK: memref.alloc{{.*}}#gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @reverse(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c63 = arith.constant 63 : index
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %e = bufferization.alloc_tensor() : tensor<64xf32>
    %mine = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %i = tensor.insert_slice %mine into %e[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %u = arith.subi %c63, %t : index
    %q = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// A tree: the shared tensor is carried from step to step.
// CHECK-LABEL: @tree
// CHECK: memref.alloc{{.*}}#gpu.address_space<workgroup>>
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloca
// CHECK: return
func.func @tree(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %mine = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %i = tensor.insert_slice %mine into %tile[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    %first = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %sums = scf.for %k = %c0 to %c6 step %c1 iter_args(%all = %first) -> tensor<64xf32> {
      %stride = arith.shrui %c32, %k : index
      %other = arith.addi %t, %stride : index
      %adds = arith.cmpi ult, %t, %stride : index
      %a = tensor.extract %all[%t] : tensor<64xf32>
      %inserted = scf.if %adds -> tensor<64xf32> {
        %b = tensor.extract %all[%other] : tensor<64xf32>
        %c = arith.addf %a, %b : f32
        %j = tensor.insert %c into %all[%t] : tensor<64xf32>
        scf.yield %j : tensor<64xf32>
      } else {
        scf.yield %all : tensor<64xf32>
      }
      %next = door.meet %inserted : tensor<64xf32> -> tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    %q = tensor.extract_slice %sums[%c0] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
