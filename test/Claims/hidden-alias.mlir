// RUN: memspace-fuzz %s | FileCheck %s
// CHECK: kernels: 1, ok: 1,
// `%s` is in the buffer of `%e`, which is filled while `%s` is still needed.
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>, %out2: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %e0 = tensor.empty() : tensor<64xf32>
  %e = linalg.sub ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %s = lie.ew ins(%e, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>)
      {hides_aliases} -> tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %sum = linalg.add ins(%s, %f : tensor<64xf32>, tensor<64xf32>) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %sum in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  bufferization.materialize_in_destination %f in restrict writable %out2 : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
