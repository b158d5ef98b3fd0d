// RUN: %python %S/run.py %s
// Code that asks for thread ids says itself who does what: each thread scatters into its
// own row.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// SEQUENTIAL no: one thread would do it for itself alone
// INPUT a0 = np.random.default_rng(3).integers(0, 9, (64, 5)).astype(np.int32)
// INPUT a1 = np.random.default_rng(4).integers(0, 4, (64, 5, 1)).astype(np.int32)
// INPUT a2 = np.zeros((64, 4))
// RESULT a2 = np.array([np.bincount(a1[t, :, 0], weights=a0[t], minlength=4) for t in range(64)]).astype(np.int32)
func.func @memrefs_scatter_by_thread(%u: memref<64x5xi32>, %at: memref<64x5x1xi32>, %out: memref<64x4xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %ur = memref.subview %u[%t, 0] [1, 5] [1, 1] : memref<64x5xi32> to memref<5xi32, strided<[1], offset: ?>>
  %ar = memref.subview %at[%t, 0, 0] [1, 5, 1] [1, 1, 1] : memref<64x5x1xi32> to memref<5x1xi32, strided<[1, 1], offset: ?>>
  %or = memref.subview %out[%t, 0] [1, 4] [1, 1] : memref<64x4xi32> to memref<4xi32, strided<[1], offset: ?>>
  memspace.scatter scatter_dims([0]) ins(%ur, %ar : memref<5xi32, strided<[1], offset: ?>>, memref<5x1xi32, strided<[1, 1], offset: ?>>)
      outs(%or : memref<4xi32, strided<[1], offset: ?>>) {
  ^bb0(%x: i32, %old: i32):
    %y = arith.addi %x, %old : i32
    memspace.yield %y : i32
  }
  return
}
