// RUN: %python %S/run.py %s
// linalg.pack and unpack become padding, reshapes and transposes.
// EXPECT barriers=4 workgroup_bytes=6144
// SEQUENTIAL no: upstream does not bufferize linalg.pack
// RESULT a2 = a0 @ a1
func.func @pack(%A: memref<16x32xf32>, %B: memref<32x16xf32>, %C: memref<16x16xf32>)
    attributes {gpu.known_block_size = array<i32: 32,1,1>, gpu.known_grid_size = array<i32: 1,1,1>} {
  %a = bufferization.to_tensor %A restrict : memref<16x32xf32> to tensor<16x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x16xf32> to tensor<32x16xf32>
  %z = arith.constant 0.0 : f32
  %ae = tensor.empty() : tensor<4x8x4x4xf32>
  %be = tensor.empty() : tensor<4x8x4x4xf32>
  %ap = linalg.pack %a inner_dims_pos=[0,1] inner_tiles=[4,4] into %ae : tensor<16x32xf32> -> tensor<4x8x4x4xf32>
  %bp = linalg.pack %b outer_dims_perm=[1,0] inner_dims_pos=[1,0] inner_tiles=[4,4] into %be : tensor<32x16xf32> -> tensor<4x8x4x4xf32>
  %ce = tensor.empty() : tensor<4x4x4x4xf32>
  %cz = linalg.fill ins(%z : f32) outs(%ce : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  %c = linalg.mmt4d ins(%ap,%bp : tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>) outs(%cz : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  %ue = tensor.empty() : tensor<16x16xf32>
  %u = linalg.unpack %c inner_dims_pos=[0,1] inner_tiles=[4,4] into %ue : tensor<4x4x4x4xf32> -> tensor<16x16xf32>
  bufferization.materialize_in_destination %u in restrict writable %C : (tensor<16x16xf32>, memref<16x16xf32>) -> ()
  return
}
