// RUN: memspace-fuzz %s | FileCheck %s
// CHECK: kernels: 1, ok: 1,
// An op without a destination reads what its model calls unread.
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>, %out2: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %u = linalg.add ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%u : tensor<64xf32>) -> tensor<64xf32>
  %o = lie.opaque %u, %x {hides_reads = array<i64: 0, 1>} : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  bufferization.materialize_in_destination %o in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  bufferization.materialize_in_destination %f in restrict writable %out2 : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
