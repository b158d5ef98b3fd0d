// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// On memrefs each thread sorts a row in place.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// SEQUENTIAL no: upstream does not bufferize the dialect
// INPUT a0 = np.random.default_rng(9).integers(0, 9, (32, 7))
// RESULT a0 = np.sort(a0, axis=1)
func.func @sort_memrefs(%rows: memref<32x7xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  scf.forall (%i) in (32) {
    %row = memref.subview %rows[%i, 0] [1, 7] [1, 1] : memref<32x7xi32> to memref<7xi32, strided<[1], offset: ?>>
    ext.sort dimension(0) outs(%row : memref<7xi32, strided<[1], offset: ?>>) {
    ^bb0(%a: i32, %b: i32):
      %before = arith.cmpi slt, %a, %b : i32
      ext.yield %before : i1
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
