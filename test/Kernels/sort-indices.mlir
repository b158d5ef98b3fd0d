// RUN: %python %S/run.py %s
// Only positions are sorted; the keys stay where they are, in global memory.
// EXPECT gfx942: workgroup_bytes=2048 barriers<=4 executed<=7
// EXPECT sm_90: workgroup_bytes=2048 barriers<=4 executed<=11
// INPUT a0 = np.random.default_rng(6).integers(0, 50, 500).astype(np.float32)
// RESULT a1 = np.argsort(a0, kind='stable')
func.func @sort_indices(%x: memref<500xf32>, %i: memref<500xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<500xf32> to tensor<500xf32>
  %ie = tensor.empty() : tensor<500xi32>
  %r = memspace.sort_indices dimension(0) stable ins(%t : tensor<500xf32>) outs(%ie : tensor<500xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf olt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<500xi32>
  bufferization.materialize_in_destination %r in restrict writable %i : (tensor<500xi32>, memref<500xi32>) -> ()
  return
}
