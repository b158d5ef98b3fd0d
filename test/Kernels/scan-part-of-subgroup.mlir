// RUN: %python %S/run.py %s
// The last subgroup is not whole, so that nothing is passed by shuffles: 240 totals are
// shared. Steps of a subgroup need none of its workgroup's barriers, and only what follows
// the steps waits for other subgroups.
// EXPECT gfx942: workgroup_bytes=1920 subgroup_barriers=6 barriers=1 executed=1
// EXPECT sm_90: workgroup_bytes=1920 subgroup_barriers=5 barriers=1 executed=1
// RESULT a1 = np.cumsum(a0.astype(np.float64)).astype(np.float32)
// TOLERANCE 1e-3
func.func @scan_sum_4096(%in: memref<4096xf32>, %out: memref<4096xf32>)
    attributes {gpu.known_block_size = array<i32: 250, 1, 1>} {
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
