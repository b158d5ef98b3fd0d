// RUN: %python %S/run.py %s
// The three Winograd transforms are decomposed into loops of small matmuls.
// EXPECT barriers=7 workgroup_bytes=1152
// SEQUENTIAL no: upstream does not bufferize the transforms
// RESULT a2 = np.stack([sum(a0[0, r:r+4, s:s+4, :] @ a1[f, r, s, :] for r in range(3) for s in range(3)) for f in range(2)], axis=-1)[None]
// TOLERANCE 1e-4
func.func @wino(%X: memref<1x6x6x2xf32>, %F: memref<2x3x3x2xf32>, %Y: memref<1x4x4x2xf32>) attributes {gpu.known_block_size = array<i32: 32,1,1>, gpu.known_grid_size = array<i32: 1,1,1>} {
  %x = bufferization.to_tensor %X restrict : memref<1x6x6x2xf32> to tensor<1x6x6x2xf32>
  %f = bufferization.to_tensor %F restrict : memref<2x3x3x2xf32> to tensor<2x3x3x2xf32>
  %e0 = tensor.empty() : tensor<6x6x2x2xf32>
  %ft = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x2xf32>) outs(%e0 : tensor<6x6x2x2xf32>) -> tensor<6x6x2x2xf32>
  %e1 = tensor.empty() : tensor<6x6x1x1x1x2xf32>
  %it = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<1x6x6x2xf32>) outs(%e1 : tensor<6x6x1x1x1x2xf32>) -> tensor<6x6x1x1x1x2xf32>
  %c = tensor.collapse_shape %ft [[0, 1], [2], [3]] : tensor<6x6x2x2xf32> into tensor<36x2x2xf32>
  %d = tensor.collapse_shape %it [[0, 1], [2, 3, 4], [5]] : tensor<6x6x1x1x1x2xf32> into tensor<36x1x2xf32>
  %e2 = tensor.empty() : tensor<36x1x2xf32>
  %z = arith.constant 0.0 : f32
  %z2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<36x1x2xf32>) -> tensor<36x1x2xf32>
  %m = linalg.batch_matmul ins(%d, %c : tensor<36x1x2xf32>, tensor<36x2x2xf32>) outs(%z2 : tensor<36x1x2xf32>) -> tensor<36x1x2xf32>
  %mx = tensor.expand_shape %m [[0, 1], [2, 3, 4], [5]] output_shape [6, 6, 1, 1, 1, 2] : tensor<36x1x2xf32> into tensor<6x6x1x1x1x2xf32>
  %e3 = tensor.empty() : tensor<1x4x4x2xf32>
  %ez = linalg.fill ins(%z : f32) outs(%e3 : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %o = linalg.winograd_output_transform fmr(F_4_3) ins(%mx : tensor<6x6x1x1x1x2xf32>) outs(%ez : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  bufferization.materialize_in_destination %o in restrict writable %Y : (tensor<1x4x4x2xf32>, memref<1x4x4x2xf32>) -> ()
  return
}
