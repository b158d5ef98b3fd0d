// RUN: %python %S/run.py %s
// The first 2 of each of 100 columns: threads behind the last pair compare
// nothing, and steps of neighbours take barriers of the subgroup.
// EXPECT gfx942: workgroup_bytes=6400 barriers=4 subgroup_barriers=2
// EXPECT sm_90: workgroup_bytes=6400 barriers=4 subgroup_barriers=2
// OPTIONS may-hazards=error
// INPUT a0 = np.random.default_rng(1).integers(0, 9, (5, 100)).astype(np.float32)
// RESULT a1 = -np.sort(-a0, axis=0)[:2]
func.func @topk_columns(%x: memref<5x100xf32>, %v: memref<2x100xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<5x100xf32> to tensor<5x100xf32>
  %e = tensor.empty() : tensor<2x100xf32>
  %r = memspace.topk dimension(0) ins(%t : tensor<5x100xf32>) values(%e : tensor<2x100xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<2x100xf32>
  bufferization.materialize_in_destination %r in restrict writable %v : (tensor<2x100xf32>, memref<2x100xf32>) -> ()
  return
}
