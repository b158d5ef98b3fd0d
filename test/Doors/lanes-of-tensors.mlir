// RUN: memspace-test-opt %s -memspace-kernel-pipeline=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-runner %t.mlir --chip=gfx942 --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '63 - i'
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// On tensors, outside of a forall of warps: the workgroup is one subgroup, so that
// the lanes are its threads.

// CHECK-LABEL: @lanes
// CHECK: memref.alloc{{.*}}#gpu.address_space<workgroup>>
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
func.func @lanes(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : index
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %a = scf.forall (%t) in (64) shared_outs(%s = %e) -> tensor<64xf32> {
    %p = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#door.lane<0>]}
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %u = arith.subi %c63, %t : index
    %p = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#door.lane<0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
