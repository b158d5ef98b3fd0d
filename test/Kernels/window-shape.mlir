// RUN: %python %S/run.py %s
// A tensor that only gives a window its shape gets no bytes, at grid scope
// neither.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// RESULT a1 = np.maximum.reduce([a0[:, 0::2, 0::2], a0[:, 1::2, 0::2], a0[:, 0::2, 1::2], a0[:, 1::2, 1::2]])
func.func @window_shape(%x: memref<1x16x16x8xf32>, %out: memref<1x8x8x8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<1x16x16x8xf32> to tensor<1x16x16x8xf32>
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x8x8x8xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %r = scf.forall (%y) = (0) to (8) step (4) shared_outs(%o = %e) -> (tensor<1x8x8x8xf32>) {
    %row = affine.apply affine_map<(d0) -> (d0 * 2)>(%y)
    %in = tensor.extract_slice %xt[0, %row, 0, 0] [1, 8, 16, 8] [1, 1, 1, 1] : tensor<1x16x16x8xf32> to tensor<1x8x16x8xf32>
    %part = tensor.extract_slice %o[0, %y, 0, 0] [1, 4, 8, 8] [1, 1, 1, 1] : tensor<1x8x8x8xf32> to tensor<1x4x8x8xf32>
    %init = linalg.fill ins(%low : f32) outs(%part : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %max = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
        ins(%in, %window : tensor<1x8x16x8xf32>, tensor<2x2xf32>) outs(%init : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %max into %o[0, %y, 0, 0] [1, 4, 8, 8] [1, 1, 1, 1] : tensor<1x4x8x8xf32> into tensor<1x8x8x8xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<1x8x8x8xf32>, memref<1x8x8x8xf32>) -> ()
  return
}
