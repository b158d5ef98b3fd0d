// RUN: memspace-fuzz %s | FileCheck %s
// CHECK: kernels: 1, ok: 1,
// The init that the model calls unread keeps the elements that nobody writes.
func.func @kernel(%in: memref<64xf32>, %idx: memref<64xi32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %i = bufferization.to_tensor %idx restrict : memref<64xi32> to tensor<64xi32>
  %s = lie.scatter ins(%x, %i : tensor<64xf32>, tensor<64xi32>) outs(%x : tensor<64xf32>)
      {hides_reads = array<i64: 2>} -> tensor<64xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
