// RUN: %python %S/run.py %s
// Upstream's gather and scatter, with dimensions of one element, whose own bufferization
// there is none of.
// EXPECT workgroup_bytes=480 private_bytes=0 barriers=1
// SEQUENTIAL no: upstream does not bufferize them
// INPUT a1 = np.random.default_rng(4).permutation(8)[:6].reshape(2, 3, 1)
// RESULT a2 = np.stack([a0[:, i, :] for i in a1.reshape(6)]).reshape(2, 3, 4, 1, 5)
// RESULT a3 = np.where(np.isin(np.arange(8), a1)[None, :, None], a0, np.float32(7))
// BLOCKS refused: the promise of a loop is lost with the loop
func.func @gather_upstream(%in: memref<4x8x5xf32>, %index: memref<2x3x1xindex>, %out: memref<2x3x4x1x5xf32>, %back: memref<4x8x5xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<4x8x5xf32> to tensor<4x8x5xf32>
  %i = bufferization.to_tensor %index restrict : memref<2x3x1xindex> to tensor<2x3x1xindex>
  %seven = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<4x8x5xf32>
  %f = linalg.fill ins(%seven : f32) outs(%e : tensor<4x8x5xf32>) -> tensor<4x8x5xf32>
  %g = tensor.gather %t[%i] gather_dims([1]) unique : (tensor<4x8x5xf32>, tensor<2x3x1xindex>) -> tensor<2x3x4x1x5xf32>
  %s = tensor.scatter %g into %f[%i] scatter_dims([1]) unique : (tensor<2x3x4x1x5xf32>, tensor<4x8x5xf32>, tensor<2x3x1xindex>) -> tensor<4x8x5xf32>
  bufferization.materialize_in_destination %g in restrict writable %out : (tensor<2x3x4x1x5xf32>, memref<2x3x4x1x5xf32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %back : (tensor<4x8x5xf32>, memref<4x8x5xf32>) -> ()
  return
}
