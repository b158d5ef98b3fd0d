// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// The indices have no dimension for their one coordinate, and what overwrites has a
// region all the same: plain stores.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers<=1
// SEQUENTIAL no: upstream does not bufferize the dialect
// INPUT a1 = np.random.default_rng(7).permutation(40)[:20]
// INPUT a2 = np.zeros((3, 40))
// RESULT a3 = (lambda r: (r.__setitem__((slice(None), a1), a0.T), r)[1])(a2.copy())
func.func @scatter_columns(%in: memref<20x3xf32>, %index: memref<20xi32>, %old: memref<3x40xf32>, %out: memref<3x40xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<20x3xf32> to tensor<20x3xf32>
  %i = bufferization.to_tensor %index restrict : memref<20xi32> to tensor<20xi32>
  %was = bufferization.to_tensor %old restrict : memref<3x40xf32> to tensor<3x40xf32>
  %e = tensor.empty() : tensor<3x40xf32>
  %o = linalg.copy ins(%was : tensor<3x40xf32>) outs(%e : tensor<3x40xf32>) -> tensor<3x40xf32>
  %s = ext.scatter dimension_map([1]) unique_indices
      ins(%u, %i : tensor<20x3xf32>, tensor<20xi32>) outs(%o : tensor<3x40xf32>) {
  ^bb0(%x: f32, %y: f32):
    ext.yield %x : f32
  } -> tensor<3x40xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<3x40xf32>, memref<3x40xf32>) -> ()
  return
}
