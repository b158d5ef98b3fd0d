// RUN: %python %S/run.py %s
// Depthwise convolution; the tile is loaded by the threads of z = 0, read by all.
// EXPECT workgroup_bytes=576 barriers=1
// TOLERANCE 1e-4
// RESULT a2 = sum(a0[:, i:i+4, j:j+4, :] * a1[i, j] for i in range(3) for j in range(3))
func.func @depthwise_conv(%x: memref<1x6x6x4xf32>, %w: memref<3x3x4xf32>, %out: memref<1x4x4x4xf32>)
    attributes {gpu.known_block_size = array<i32: 6, 6, 4>} {
  %xt = bufferization.to_tensor %x restrict : memref<1x6x6x4xf32> to tensor<1x6x6x4xf32>
  %wt = bufferization.to_tensor %w restrict : memref<3x3x4xf32> to tensor<3x3x4xf32>
  %zf = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<1x6x6x4xf32>
  %t = scf.forall (%i, %j) in (6, 6) shared_outs(%o = %te) -> (tensor<1x6x6x4xf32>) {
    %s = tensor.extract_slice %xt[0, %i, %j, 0] [1, 1, 1, 4] [1, 1, 1, 1] : tensor<1x6x6x4xf32> to tensor<1x1x1x4xf32>
    %d = tensor.extract_slice %o[0, %i, %j, 0] [1, 1, 1, 4] [1, 1, 1, 1] : tensor<1x6x6x4xf32> to tensor<1x1x1x4xf32>
    %cp = linalg.copy ins(%s : tensor<1x1x1x4xf32>) outs(%d : tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %cp into %o[0, %i, %j, 0] [1, 1, 1, 4] [1, 1, 1, 1] : tensor<1x1x1x4xf32> into tensor<1x6x6x4xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %oe = tensor.empty() : tensor<1x4x4x4xf32>
  %r = scf.forall (%i, %j, %z) in (4, 4, 4) shared_outs(%o = %oe) -> (tensor<1x4x4x4xf32>) {
    %s = tensor.extract_slice %t[0, %i, %j, %z] [1, 3, 3, 1] [1, 1, 1, 1] : tensor<1x6x6x4xf32> to tensor<1x3x3x1xf32>
    %ww = tensor.extract_slice %wt[0, 0, %z] [3, 3, 1] [1, 1, 1] : tensor<3x3x4xf32> to tensor<3x3x1xf32>
    %d = tensor.extract_slice %o[0, %i, %j, %z] [1, 1, 1, 1] [1, 1, 1, 1] : tensor<1x4x4x4xf32> to tensor<1x1x1x1xf32>
    %f = linalg.fill ins(%zf : f32) outs(%d : tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %cv = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%s, %ww : tensor<1x3x3x1xf32>, tensor<3x3x1xf32>) outs(%f : tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %cv into %o[0, %i, %j, %z] [1, 1, 1, 1] [1, 1, 1, 1] : tensor<1x1x1x1xf32> into tensor<1x4x4x4xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>, #gpu.thread<z>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<1x4x4x4xf32>, memref<1x4x4x4xf32>) -> ()

  return
}
