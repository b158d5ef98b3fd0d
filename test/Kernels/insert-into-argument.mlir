// RUN: %python %S/run.py %s
// The destination of an insertion cannot be written, so that it is copied.
// EXPECT workgroup_bytes=16 barriers=2
// RESULT a2 = np.concatenate([a1[:2], a0])
func.func @insert_into_argument(%A: memref<2xf32>, %B: memref<4xf32>, %O: memref<4xf32>)
    attributes {gpu.known_block_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %a = bufferization.to_tensor %A restrict : memref<2xf32> to tensor<2xf32>
  %b = bufferization.to_tensor %B restrict : memref<4xf32> to tensor<4xf32>
  %i = tensor.insert_slice %a into %b[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  bufferization.materialize_in_destination %i in restrict writable %O : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
