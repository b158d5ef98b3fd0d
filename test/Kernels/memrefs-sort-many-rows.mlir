// RUN: %python %S/run.py %s
// Rows of a known length, of which nobody says how many there are: all threads share each.
// EXPECT gfx942: workgroup_bytes<=512 barriers<=6
// EXPECT sm_90: workgroup_bytes<=512 barriers<=6
// DIM 21
// INPUT a0 = np.random.default_rng(3).integers(0, 90, (21, 50)).astype(np.int32)
// RESULT a0 = np.sort(a0)
func.func @memrefs_sort_many_rows(%x: memref<?x50xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  memspace.sort dimension(1) ins(%x : memref<?x50xi32>) outs(%x : memref<?x50xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  }
  return
}
