// RUN: %python %S/run.py %s
// Each column of each matrix is a row of the sort, and all are sorted at once
// (S14: iree#20358 gave all threads the same work on one shared buffer).
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// RESULT a1 = np.sort(a0, axis=1)
func.func @sort_rows(%in: memref<2x8x3xi32>, %out: memref<2x8x3xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<2x8x3xi32> to tensor<2x8x3xi32>
  %e = tensor.empty() : tensor<2x8x3xi32>
  %s = memspace.sort dimension(1) ins(%t : tensor<2x8x3xi32>) outs(%e : tensor<2x8x3xi32>) {
  ^bb0(%a: i32, %b: i32):
    %before = arith.cmpi slt, %a, %b : i32
    memspace.yield %before : i1
  } -> tensor<2x8x3xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<2x8x3xi32>, memref<2x8x3xi32>) -> ()
  return
}
