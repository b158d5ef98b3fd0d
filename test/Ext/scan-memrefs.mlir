// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// On memrefs each thread scans a row, and writes what it ends with.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// SEQUENTIAL no: upstream does not bufferize the dialect
// INPUT a2 = np.arange(32)
// RESULT a1 = a2[:, None] + np.cumsum(a0, axis=1) - a0
// RESULT a2 = a2 + np.sum(a0[:, :-1], axis=1)
func.func @scan_memrefs(%in: memref<32x5xi32>, %out: memref<32x5xi32>, %total: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  scf.forall (%i) in (32) {
    %x = memref.subview %in[%i, 0] [1, 5] [1, 1] : memref<32x5xi32> to memref<5xi32, strided<[1], offset: ?>>
    %y = memref.subview %out[%i, 0] [1, 5] [1, 1] : memref<32x5xi32> to memref<5xi32, strided<[1], offset: ?>>
    %a = memref.subview %total[%i] [1] [1] : memref<32xi32> to memref<i32, strided<[], offset: ?>>
    ext.scan dimension(0) ins(%x : memref<5xi32, strided<[1], offset: ?>>)
        outs(%y, %a : memref<5xi32, strided<[1], offset: ?>>, memref<i32, strided<[], offset: ?>>) {
    ^bb0(%e: i32, %before: i32):
      %sum = arith.addi %before, %e : i32
      ext.yield %sum : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
