// RUN: not memspace-opt %s -memspace-bufferize=chip=sm_90 -mlir-print-ir-after-failure -o /dev/null 2>&1 | FileCheck %s

// A kernel that cannot be bufferized stays as it was; upstream leaves a half.

// CHECK: error: 'bufferization.alloc_tensor' op needs a buffer
// CHECK: func.func @no_space
// CHECK: tensor.empty
// CHECK-NOT: bufferization.to_buffer
// CHECK: scf.for {{.*}} -> (tensor<4xi32>, tensor<4xi32>)
// CHECK-NOT: bufferization.to_buffer
func.func @no_space(%x: memref<16x4xi32>, %y: memref<16x4xi32>, %out: memref<16x4xi32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %xt = bufferization.to_tensor %x restrict : memref<16x4xi32> to tensor<16x4xi32>
  %yt = bufferization.to_tensor %y restrict : memref<16x4xi32> to tensor<16x4xi32>
  %e = tensor.empty() : tensor<16x4xi32>
  %r = scf.forall (%t) in (16) shared_outs(%o = %e) -> (tensor<16x4xi32>) {
    %a = tensor.extract_slice %xt[%t, 0] [1, 4] [1, 1] : tensor<16x4xi32> to tensor<4xi32>
    %b = tensor.extract_slice %yt[%t, 0] [1, 4] [1, 1] : tensor<16x4xi32> to tensor<4xi32>
    %s:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %b) -> (tensor<4xi32>, tensor<4xi32>) {
      %f = tensor.empty() : tensor<4xi32>
      %d = linalg.sub ins(%p, %q : tensor<4xi32>, tensor<4xi32>) outs(%f : tensor<4xi32>) -> tensor<4xi32>
      scf.yield %q, %d : tensor<4xi32>, tensor<4xi32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s#0 into %o[%t, 0] [1, 4] [1, 1] : tensor<4xi32> into tensor<16x4xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<16x4xi32>, memref<16x4xi32>) -> ()
  return
}
