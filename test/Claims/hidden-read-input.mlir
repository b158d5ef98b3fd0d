// RUN: memspace-fuzz %s | FileCheck %s
// CHECK: kernels: 1, ok: 1,
// What the model does not say is read is still read: `%u` must not be overwritten
// before the scatter, nor be private to the threads that computed it.
func.func @kernel(%in: memref<64xf32>, %idx: memref<64xi32>, %out: memref<64xf32>, %out2: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %i = bufferization.to_tensor %idx restrict : memref<64xi32> to tensor<64xi32>
  %e = tensor.empty() : tensor<64xf32>
  %u = linalg.add ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%u : tensor<64xf32>) -> tensor<64xf32>
  %s = lie.scatter ins(%u, %i : tensor<64xf32>, tensor<64xi32>) outs(%init : tensor<64xf32>)
      {hides_reads = array<i64: 0, 1>} -> tensor<64xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  bufferization.materialize_in_destination %f in restrict writable %out2 : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
