// RUN: %python %S/run.py %s
// Few elements are one thread's.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = np.cumsum(a0)
func.func @scan_two(%in: memref<2xf32>, %out: memref<2xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<2xf32> to tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %s = memspace.scan dimension(0) ins(%t : tensor<2xf32>)
      outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<2xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<2xf32>, memref<2xf32>) -> ()
  return
}
