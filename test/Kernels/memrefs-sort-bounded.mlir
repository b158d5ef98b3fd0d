// RUN: %python %S/run.py %s
// The length of a part of a memref is bounded as that of a tensor: all threads share it.
// EXPECT gfx942: workgroup_bytes=2048 barriers<=4
// EXPECT sm_90: workgroup_bytes<=4000 barriers<=5
// INPUT a0 = np.random.default_rng(3).integers(0, 90, 500).astype(np.int32)
// INPUT a1 = np.array([317])
// RESULT a0 = np.concatenate([np.sort(a0[:317]), a0[317:]])
func.func @memrefs_sort_bounded(%x: memref<500xi32>, %len: memref<1xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c500 = arith.constant 500 : index
  %l = memref.load %len[%c0] : memref<1xi32>
  %i = arith.index_castui %l : i32 to index
  %n = arith.minui %i, %c500 : index
  %s = memref.subview %x[0] [%n] [1] : memref<500xi32> to memref<?xi32, strided<[1]>>
  memspace.sort dimension(0) ins(%s : memref<?xi32, strided<[1]>>) outs(%s : memref<?xi32, strided<[1]>>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  }
  return
}
