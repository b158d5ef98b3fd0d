// RUN: %python %S/run.py %s
// 3 x 2 rows by 32 lanes, 5 for each row and two that only pass values on; from the end,
// without the own element. The combiner divides: it is given elements only.
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// INPUT a0 = np.random.default_rng(1).integers(1, 4, (3, 17, 2)).astype(np.int32)
// RESULT a1 = np.concatenate([np.cumsum(a0[:, ::-1], axis=1)[:, ::-1][:, 1:] + 5, np.full((3, 1, 2), 5)], axis=1)
func.func @scan_lanes_rows(%in: memref<3x17x2xi32>, %out: memref<3x17x2xi32>)
    attributes {gpu.known_block_size = array<i32: 8, 4, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<3x17x2xi32> to tensor<3x17x2xi32>
  %init = arith.constant 5 : i32
  %e = tensor.empty() : tensor<3x17x2xi32>
  %s = memspace.scan dimension(1) exclusive reverse ins(%t : tensor<3x17x2xi32>)
      initial(%init : i32) outs(%e : tensor<3x17x2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %one = arith.divsi %b, %b : i32
    %c = arith.muli %b, %one : i32
    %d = arith.addi %a, %c : i32
    memspace.yield %d : i32
  } -> tensor<3x17x2xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<3x17x2xi32>, memref<3x17x2xi32>) -> ()
  return
}
