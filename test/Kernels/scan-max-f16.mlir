// RUN: %python %S/run.py %s
// Exact whatever the order of the combinations.
// EXPECT gfx942: workgroup_bytes=4 barriers=1 subgroup_barriers=0 executed=1
// EXPECT sm_90: workgroup_bytes=8 barriers=1 subgroup_barriers=0 executed=1
// RESULT a1 = np.maximum.accumulate(a0)
func.func @scan_max_f16(%in: memref<1000xf16>, %out: memref<1000xf16>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<1000xf16> to tensor<1000xf16>
  %e = tensor.empty() : tensor<1000xf16>
  %s = memspace.scan dimension(0) ins(%t : tensor<1000xf16>)
      outs(%e : tensor<1000xf16>) {
  ^bb0(%a: f16, %b: f16):
    %c = arith.maximumf %a, %b : f16
    memspace.yield %c : f16
  } -> tensor<1000xf16>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1000xf16>, memref<1000xf16>) -> ()
  return
}
