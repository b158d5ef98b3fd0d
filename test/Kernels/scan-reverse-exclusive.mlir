// RUN: %python %S/run.py %s
// EXPECT gfx942: workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// EXPECT sm_90: workgroup_bytes=8 barriers=1 subgroup_barriers=0 executed=1
// RESULT a1 = np.cumsum(a0[:, ::-1], axis=1)[:, ::-1] - a0 - 3
func.func @scan_reverse_exclusive(%in: memref<3x65xi32>, %out: memref<3x65xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<3x65xi32> to tensor<3x65xi32>
  %init = arith.constant -3 : i32
  %e = tensor.empty() : tensor<3x65xi32>
  %s = memspace.scan dimension(1) exclusive reverse ins(%t : tensor<3x65xi32>)
      initial(%init : i32)
      outs(%e : tensor<3x65xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    memspace.yield %c : i32
  } -> tensor<3x65xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<3x65xi32>, memref<3x65xi32>) -> ()
  return
}
