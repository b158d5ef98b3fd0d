// RUN: %python %S/run.py %s
// Eight pairs for each thread: what a thread touches in all of them is known in each
// step of the network, so that the steps inside a subgroup take none of the
// workgroup's barriers.
// EXPECT gfx942: workgroup_bytes=8192 executed=16
// EXPECT sm_90: workgroup_bytes=8192 executed=22
// RESULT a1 = np.sort(a0)
// OPTIONS may-hazards=error
func.func @sort_few_threads(%in: memref<2048xf32>, %out: memref<2048xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<2048xf32> to tensor<2048xf32>
  %e = tensor.empty() : tensor<2048xf32>
  %s = memspace.sort dimension(0) ins(%x : tensor<2048xf32>) outs(%e : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf olt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<2048xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<2048xf32>, memref<2048xf32>) -> ()
  return
}
