// RUN: %python %S/run.py %s
// A sort, in place, and its scan, on memrefs that nothing else accesses: both are shared.
// EXPECT gfx942: workgroup_bytes<=1032 barriers<=6
// EXPECT sm_90: workgroup_bytes<=1040 barriers<=8
// INPUT a0 = np.random.default_rng(6).integers(0, 40, 200).astype(np.int32)
// RESULT a0 = np.sort(a0)
// RESULT a1 = np.cumsum(np.sort(a0))
func.func @memrefs_chained(%x: memref<200xi32>, %y: memref<200xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  memspace.sort dimension(0) ins(%x : memref<200xi32>) outs(%x : memref<200xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  }
  memspace.scan dimension(0) ins(%x : memref<200xi32>) outs(%y : memref<200xi32>) {
  ^bb0(%a: i32, %b: i32):
    %sum = arith.addi %a, %b : i32
    memspace.yield %sum : i32
  }
  return
}
