// RUN: %python %S/run.py %s
// What insertion calculates for 8192 elements of 1024 threads the verifier does, too.
// EXPECT gfx942: workgroup_bytes=32768 executed=29
// EXPECT sm_90: workgroup_bytes=32768 executed=37
// RESULT a1 = np.sort(a0)
// OPTIONS may-hazards=error
func.func @sort_many_threads(%in: memref<8192xf32>, %out: memref<8192xf32>)
    attributes {gpu.known_block_size = array<i32: 1024, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<8192xf32> to tensor<8192xf32>
  %e = tensor.empty() : tensor<8192xf32>
  %s = memspace.sort dimension(0) ins(%x : tensor<8192xf32>) outs(%e : tensor<8192xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf olt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<8192xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8192xf32>, memref<8192xf32>) -> ()
  return
}
