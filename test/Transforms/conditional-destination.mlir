// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s

// The caller's memory is written in a branch: what is computed before cannot be
// computed in it, as upstream's elimination of empty tensors would have it.

// CHECK-LABEL: func.func @conditional_destination
// CHECK-SAME: %{{.*}}, %[[OUT:.*]]: memref<64xi32> {memspace.noalias}, %[[C:.*]]: i1)
// CHECK-NOT: %[[OUT]]
// CHECK: scf.if %[[C]]
// CHECK: %[[OUT]]
func.func @conditional_destination(%x: memref<64xi32>, %out: memref<64xi32>, %c: i1)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : index
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %e = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %a = tensor.extract %xt[%j] : tensor<64xi32>
    %s = tensor.from_elements %a : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  scf.if %c {
    bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  }
  return
}
