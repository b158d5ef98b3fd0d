// RUN: %python %S/run.py %s
// On memrefs, too, a row without a bound is scanned in parts by all threads.
// EXPECT gfx942: workgroup_bytes<=8208 barriers<=50
// EXPECT sm_90: workgroup_bytes<=8224 barriers<=50
// DIM 3000
// RESULT a1 = np.cumsum(a0)
func.func @memrefs_scan_parts(%x: memref<?xi32>, %y: memref<?xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  memspace.scan dimension(0) ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %sum = arith.addi %a, %b : i32
    memspace.yield %sum : i32
  }
  return
}
