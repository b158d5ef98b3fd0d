// RUN: %python %S/run.py %s
// What nobody needs afterwards is scanned in place.
// EXPECT gfx942: workgroup_bytes=8 private_bytes=36 barriers=1 subgroup_barriers=0 executed=1
// EXPECT sm_90: workgroup_bytes=16 private_bytes=36 barriers=1 subgroup_barriers=0 executed=1
// RESULT a1 = np.cumsum(2 * a0)
func.func @scan_own_buffer(%in: memref<1024xi32>, %out: memref<1024xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<1024xi32> to tensor<1024xi32>
  %e0 = tensor.empty() : tensor<1024xi32>
  %twice = linalg.add ins(%t, %t : tensor<1024xi32>, tensor<1024xi32>) outs(%e0 : tensor<1024xi32>) -> tensor<1024xi32>
  %s = memspace.scan dimension(0) ins(%twice : tensor<1024xi32>)
      outs(%twice : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    memspace.yield %c : i32
  } -> tensor<1024xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1024xi32>, memref<1024xi32>) -> ()
  return
}
