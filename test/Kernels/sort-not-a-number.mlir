// RUN: %python %S/run.py %s
// A total order, in which not-a-number comes last, of a comparator with several ops.
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// INPUT a0 = np.array([3, np.nan, -8, 0, 13, np.nan, 12, 7, 1, 2, 5, 5, np.nan, -3, 8, 4, 6, 9, 11, 10], dtype=np.float32)
// RESULT a1 = np.sort(a0)
func.func @sort_nan(%in: memref<20xf32>, %out: memref<20xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<20xf32> to tensor<20xf32>
  %e = tensor.empty() : tensor<20xf32>
  %s = memspace.sort dimension(0) stable ins(%t : tensor<20xf32>) outs(%e : tensor<20xf32>) {
  ^bb0(%a: f32, %b: f32):
    %less = arith.cmpf olt, %a, %b : f32
    %isNumber = arith.cmpf ord, %a, %a : f32
    %isNone = arith.cmpf uno, %b, %b : f32
    %isBefore = arith.andi %isNumber, %isNone : i1
    %before = arith.ori %less, %isBefore : i1
    memspace.yield %before : i1
  } -> tensor<20xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<20xf32>, memref<20xf32>) -> ()
  return
}
