// RUN: %python %S/run.py %s
// Coordinates in another order than the dimensions: the last dimension first, and rows of
// the one between. A place that is out of range is dropped.
// EXPECT workgroup_bytes=0
// INPUT a1 = np.random.default_rng(22).integers(0, 5, (70, 2)) + np.array([2, -1])
// INPUT a2 = np.zeros((4, 3, 7))
// RESULT a2 = np.array([[[a0[(a1[:, 0] == z) & (a1[:, 1] == x), y].sum() for z in range(7)] for y in range(3)] for x in range(4)])
func.func @scatter_columns_first(%in: memref<70x3xi32>, %index: memref<70x2xi32>, %out: memref<4x3x7xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<70x3xi32> to tensor<70x3xi32>
  %i = bufferization.to_tensor %index restrict : memref<70x2xi32> to tensor<70x2xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<4x3x7xi32> to tensor<4x3x7xi32>
  %s = memspace.scatter scatter_dims([2, 0])
      ins(%u, %i : tensor<70x3xi32>, tensor<70x2xi32>) outs(%o : tensor<4x3x7xi32>) {
  ^bb0(%x: i32, %old: i32):
    %y = arith.addi %x, %old : i32
    memspace.yield %y : i32
  } -> tensor<4x3x7xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<4x3x7xi32>, memref<4x3x7xi32>) -> ()
  return
}
