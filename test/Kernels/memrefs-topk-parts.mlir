// RUN: %python %S/run.py %s
// The first eight of any number of rows, each of a length without a bound.
// EXPECT gfx942: workgroup_bytes<=16384
// EXPECT sm_90: workgroup_bytes<=16384
// DIM 77
// INPUT a0 = np.random.default_rng(3).integers(0, 900, (77, 77)).astype(np.int32)
// RESULT a1 = -np.sort(-a0)[:, :8]
func.func @memrefs_topk_parts(%x: memref<?x?xi32>, %y: memref<?x8xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  memspace.topk dimension(1) ins(%x : memref<?x?xi32>) values(%y : memref<?x8xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi sgt, %a, %b : i32
    memspace.yield %first : i1
  }
  return
}
