// RUN: %python %S/run.py %s
// Rows to unique places, some of them out of range: plain stores, into the caller's memory.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// INPUT a1 = np.random.default_rng(5).permutation(np.arange(-4, 44))[:24].reshape(24, 1)
// INPUT a2 = np.random.default_rng(6).random((40, 9)).astype(np.float32)
// RESULT a2 = np.stack([a2[i] + 2 * sum(a0[k] for k in range(24) if a1[k, 0] == i) for i in range(40)])
// BLOCKS refused: the promise of a loop is lost with the loop
func.func @scatter_unique(%in: memref<24x9xf32>, %index: memref<24x1xi64>, %out: memref<40x9xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<24x9xf32> to tensor<24x9xf32>
  %i = bufferization.to_tensor %index restrict : memref<24x1xi64> to tensor<24x1xi64>
  %o = bufferization.to_tensor %out restrict writable : memref<40x9xf32> to tensor<40x9xf32>
  %s = memspace.scatter scatter_dims([0]) unique_indices
      ins(%u, %i : tensor<24x9xf32>, tensor<24x1xi64>) outs(%o : tensor<40x9xf32>) {
  ^bb0(%x: f32, %old: f32):
    %two = arith.constant 2.0 : f32
    %y = arith.mulf %x, %two : f32
    %z = arith.addf %y, %old : f32
    memspace.yield %z : f32
  } -> tensor<40x9xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<40x9xf32>, memref<40x9xf32>) -> ()
  return
}
