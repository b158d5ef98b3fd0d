// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// Coordinate 0 of a place is its column, coordinate 1 its row. Places repeat: sums.
// EXPECT workgroup_bytes=0 private_bytes=0
// SEQUENTIAL no: upstream does not bufferize the dialect
// INPUT a1 = np.random.default_rng(5).integers(0, 4, (200, 2)) + np.array([3, 0])
// RESULT a2 = np.array([[a0[(a1[:, 0] == c) & (a1[:, 1] == r)].sum() for c in range(9)] for r in range(4)])
func.func @scatter_permuted(%in: memref<200xi32>, %index: memref<200x2xi32>, %out: memref<4x9xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %u = bufferization.to_tensor %in restrict : memref<200xi32> to tensor<200xi32>
  %i = bufferization.to_tensor %index restrict : memref<200x2xi32> to tensor<200x2xi32>
  %e = tensor.empty() : tensor<4x9xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x9xi32>) -> tensor<4x9xi32>
  %s = ext.scatter dimension_map([1, 0])
      ins(%u, %i : tensor<200xi32>, tensor<200x2xi32>) outs(%f : tensor<4x9xi32>) {
  ^bb0(%x: i32, %old: i32):
    %y = arith.addi %x, %old : i32
    ext.yield %y : i32
  } -> tensor<4x9xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<4x9xi32>, memref<4x9xi32>) -> ()
  return
}
