// RUN: %python %S/run.py %s
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0
// RESULT a1 = np.cumsum(a0)
// TOLERANCE 1e-4
func.func @scan_64(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %s = memspace.scan dimension(0) ins(%t : tensor<64xf32>)
      outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
