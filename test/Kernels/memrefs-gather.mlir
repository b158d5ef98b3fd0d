// RUN: %python %S/run.py %s
// Places that may be where the sorted row is: the row is in memory before they are read, and
// one thread does both.
// EXPECT workgroup_bytes=0 barriers<=1
// INPUT a0 = np.random.default_rng(6).integers(0, 40, 50).astype(np.int32)
// INPUT a1 = np.random.default_rng(7).integers(0, 50, (20, 1)).astype(np.int32)
// RESULT a0 = np.sort(a0)
// RESULT a2 = np.sort(a0)[a1[:, 0]]
func.func @memrefs_gather(%x: memref<50xi32>, %at: memref<20x1xi32>, %z: memref<20xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  memspace.sort dimension(0) ins(%x : memref<50xi32>) outs(%x : memref<50xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  }
  memspace.gather gather_dims([0]) in_bounds ins(%x, %at : memref<50xi32>, memref<20x1xi32>) outs(%z : memref<20xi32>)
  return
}
