// RUN: %python %S/run.py %s
// Uniform work on a tensor of which the input says that threads share it, though
// each could have its own: it is distributed, and not done by every thread.
// EXPECT workgroup_bytes=64 barriers=0
// SEQUENTIAL no: stock MLIR leaves the space
// RESULT a1 = a0 * 3
// RESULT a2 = a0 * 3
func.func @wider_space_uniform(%x: memref<16xf32>, %out: memref<16xf32>, %again: memref<16xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<16xf32> to tensor<16xf32>
  %e = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<16xf32>
  %t = linalg.add ins(%xt, %xt : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %u = linalg.add ins(%xt, %t : tensor<16xf32>, tensor<16xf32>) outs(%t : tensor<16xf32>) -> tensor<16xf32>
  bufferization.materialize_in_destination %u in restrict writable %out : (tensor<16xf32>, memref<16xf32>) -> ()
  bufferization.materialize_in_destination %u in restrict writable %again : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}
