// RUN: %python %S/run.py %s
// One row by all threads: totals go by shuffles inside of a subgroup, and the last one of
// each is shared. Only what follows waits for other subgroups.
// EXPECT gfx942: workgroup_bytes=16 barriers=1 subgroup_barriers=0 executed=1
// EXPECT sm_90: workgroup_bytes=32 barriers=1 subgroup_barriers=0 executed=1
// RESULT a1 = np.cumsum(a0.astype(np.float64)).astype(np.float32)
// TOLERANCE 1e-3
func.func @scan_sum_4096(%in: memref<4096xf32>, %out: memref<4096xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<4096xf32> to tensor<4096xf32>
  %e = tensor.empty() : tensor<4096xf32>
  %s = memspace.scan dimension(0) ins(%t : tensor<4096xf32>)
      outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<4096xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<4096xf32>, memref<4096xf32>) -> ()
  return
}
