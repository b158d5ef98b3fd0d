// RUN: %python %S/run.py %s
// As many rows as threads, or more: nothing is shared.
// EXPECT workgroup_bytes=0 barriers=0 executed=0
// RESULT a1 = np.cumsum(a0, axis=1)
// TOLERANCE 1e-4
func.func @scan_row_each(%in: memref<300x33xf32>, %out: memref<300x33xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<300x33xf32> to tensor<300x33xf32>
  %e = tensor.empty() : tensor<300x33xf32>
  %s = memspace.scan dimension(1) ins(%t : tensor<300x33xf32>)
      outs(%e : tensor<300x33xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<300x33xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<300x33xf32>, memref<300x33xf32>) -> ()
  return
}
