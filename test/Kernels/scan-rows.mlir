// RUN: %python %S/run.py %s
// Six rows at once, exclusive: each begins with the initial value.
// EXPECT gfx942: workgroup_bytes=16 barriers=1 subgroup_barriers=0 executed=1
// EXPECT sm_90: workgroup_bytes=32 barriers=1 subgroup_barriers=0 executed=1
// RESULT a1 = 7 + np.cumsum(a0, axis=1) - a0
func.func @scan_rows(%in: memref<2x1000x3xi32>, %out: memref<2x1000x3xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<2x1000x3xi32> to tensor<2x1000x3xi32>
  %init = arith.constant 7 : i32
  %e = tensor.empty() : tensor<2x1000x3xi32>
  %s = memspace.scan dimension(1) exclusive ins(%t : tensor<2x1000x3xi32>)
      initial(%init : i32)
      outs(%e : tensor<2x1000x3xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    memspace.yield %c : i32
  } -> tensor<2x1000x3xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<2x1000x3xi32>, memref<2x1000x3xi32>) -> ()
  return
}
