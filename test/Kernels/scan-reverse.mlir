// RUN: %python %S/run.py %s
// Suffix sums of a length that the chunks do not divide.
// EXPECT gfx942: workgroup_bytes=16 barriers=1 subgroup_barriers=0 executed=1
// EXPECT sm_90: workgroup_bytes=32 barriers=1 subgroup_barriers=0 executed=1
// RESULT a1 = np.cumsum(a0[::-1])[::-1]
func.func @scan_reverse(%in: memref<1000xi32>, %out: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<1000xi32> to tensor<1000xi32>
  %e = tensor.empty() : tensor<1000xi32>
  %s = memspace.scan dimension(0) reverse ins(%t : tensor<1000xi32>)
      outs(%e : tensor<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    memspace.yield %c : i32
  } -> tensor<1000xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}
