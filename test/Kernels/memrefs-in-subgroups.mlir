// RUN: %python %S/run.py %s
// Each subgroup finds the first 3 of a row of its own, on views of memrefs.
// EXPECT workgroup_bytes=0 private_bytes<=64 barriers=0
// INPUT a0 = np.random.default_rng(8).integers(0, 30, (2, 100)).astype(np.int32)
// RESULT a1 = np.sort(a0, axis=1)[:, :3]
// RESULT a2 = np.argsort(a0, axis=1, kind='stable')[:, :3]
func.func @memrefs_in_subgroups(%x: memref<2x100xi32>, %v: memref<2x3xi32>, %i: memref<2x3xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  scf.forall (%w) in (2) {
    %row = memref.subview %x[%w, 0] [1, 100] [1, 1] : memref<2x100xi32> to memref<100xi32, strided<[1], offset: ?>>
    %vr = memref.subview %v[%w, 0] [1, 3] [1, 1] : memref<2x3xi32> to memref<3xi32, strided<[1], offset: ?>>
    %ir = memref.subview %i[%w, 0] [1, 3] [1, 1] : memref<2x3xi32> to memref<3xi32, strided<[1], offset: ?>>
    memspace.topk dimension(0) ins(%row : memref<100xi32, strided<[1], offset: ?>>)
        values(%vr : memref<3xi32, strided<[1], offset: ?>>) indices(%ir : memref<3xi32, strided<[1], offset: ?>>) {
    ^bb0(%a: i32, %b: i32):
      %first = arith.cmpi slt, %a, %b : i32
      memspace.yield %first : i1
    }
  } {mapping = [#gpu.warp<x>]}
  return
}
