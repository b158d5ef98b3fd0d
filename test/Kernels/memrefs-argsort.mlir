// RUN: %python %S/run.py %s
// All threads would have sorted the same indices at once.
// EXPECT workgroup_bytes<=2048
// INPUT a0 = np.random.default_rng(5).integers(0, 20, (2, 65)).astype(np.int32)
// RESULT a1 = np.argsort(-a0, axis=1, kind='stable')
func.func @memrefs_argsort(%x: memref<2x65xi32>, %i: memref<2x65xi64>)
    attributes {gpu.known_block_size = array<i32: 512, 1, 1>} {
  memspace.sort_indices dimension(1) stable ins(%x : memref<2x65xi32>) outs(%i : memref<2x65xi64>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi sgt, %a, %b : i32
    memspace.yield %first : i1
  }
  return
}
