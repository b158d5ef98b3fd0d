// RUN: %python %S/run.py %s
// Each column is a row of the sort. 252 threads sort three of 333 elements at a time, in
// 84 chunks of 4 each; a loop takes the other three.
// EXPECT workgroup_bytes=8064 private_bytes=0 barriers=4 executed=16
// RESULT a1 = np.sort(a0, axis=1)
// OPTIONS may-hazards=error
func.func @merge_sort_columns(%in: memref<2x333x3xi32>, %out: memref<2x333x3xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<2x333x3xi32> to tensor<2x333x3xi32>
  %e = tensor.empty() : tensor<2x333x3xi32>
  %s = memspace.sort dimension(1) ins(%t : tensor<2x333x3xi32>) outs(%e : tensor<2x333x3xi32>) {
  ^bb0(%a: i32, %b: i32):
    %before = arith.cmpi slt, %a, %b : i32
    memspace.yield %before : i1
  } -> tensor<2x333x3xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<2x333x3xi32>, memref<2x333x3xi32>) -> ()
  return
}
