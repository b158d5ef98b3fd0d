// RUN: %python %S/run.py %s
// Blocks take parts of the updates, and add into the caller's memory together.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// INPUT a0 = np.random.default_rng(12).integers(0, 4, (512, 6)).astype(np.float32)
// INPUT a1 = np.random.default_rng(13).integers(-2, 12, (512, 1))
// INPUT a2 = np.ones((10, 6), np.float32)
// RESULT a2 = np.stack([a2[i] + a0[a1[:, 0] == i].sum(axis=0) for i in range(10)])
func.func @scatter_grid(%in: memref<512x6xf32>, %index: memref<512x1xi32>, %out: memref<10x6xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<512x6xf32> to tensor<512x6xf32>
  %i = bufferization.to_tensor %index restrict : memref<512x1xi32> to tensor<512x1xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<10x6xf32> to tensor<10x6xf32>
  %r = scf.forall (%b) = (0) to (512) step (128) shared_outs(%shared = %o) -> (tensor<10x6xf32>) {
    %u = tensor.extract_slice %t[%b, 0] [128, 6] [1, 1] : tensor<512x6xf32> to tensor<128x6xf32>
    %at = tensor.extract_slice %i[%b, 0] [128, 1] [1, 1] : tensor<512x1xi32> to tensor<128x1xi32>
    %s = memspace.scatter scatter_dims([0]) atomic
        ins(%u, %at : tensor<128x6xf32>, tensor<128x1xi32>) outs(%shared : tensor<10x6xf32>) {
    ^bb0(%x: f32, %old: f32):
      %y = arith.addf %x, %old : f32
      memspace.yield %y : f32
    } -> tensor<10x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %shared[0, 0] [10, 6] [1, 1] : tensor<10x6xf32> into tensor<10x6xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<10x6xf32>, memref<10x6xf32>) -> ()
  return
}
