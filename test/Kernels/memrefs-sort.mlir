// RUN: %python %S/run.py %s
// On memrefs threads share a sort as on tensors (test/Transforms/…-memrefs.mlir).
// EXPECT gfx942: workgroup_bytes=4096 barriers<=4
// EXPECT sm_90: workgroup_bytes=4096 barriers<=5
// INPUT a0 = np.random.default_rng(3).integers(0, 90, 1000).astype(np.float32)
// RESULT a1 = np.sort(a0)
func.func @memrefs_sort(%x: memref<1000xf32>, %y: memref<1000xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  memspace.sort dimension(0) ins(%x : memref<1000xf32>) outs(%y : memref<1000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf olt, %a, %b : f32
    memspace.yield %first : i1
  }
  return
}
