// RUN: %python %S/run.py %s
// 40 rows of 3 elements by 32 lanes: each row is a lane's own, nobody passes anything,
// and some lanes sort a second one.
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// RESULT a1 = np.sort(a0, axis=1)
func.func @sort_own_rows(%in: memref<40x3xf32>, %out: memref<40x3xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<40x3xf32> to tensor<40x3xf32>
  %e = tensor.empty() : tensor<40x3xf32>
  %s = memspace.sort dimension(1) ins(%t : tensor<40x3xf32>) outs(%e : tensor<40x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %before = arith.cmpf olt, %a, %b : f32
    memspace.yield %before : i1
  } -> tensor<40x3xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<40x3xf32>, memref<40x3xf32>) -> ()
  return
}
