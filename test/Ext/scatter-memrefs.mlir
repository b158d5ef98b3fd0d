// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// On memrefs the threads share a scatter, too.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// SEQUENTIAL no: upstream does not bufferize the dialect
// INPUT a1 = np.random.default_rng(17).integers(0, 20, 300)
// INPUT a2 = np.arange(20)
// RESULT a2 = np.arange(20) + np.array([a0[a1 == i].sum() for i in range(20)])
func.func @scatter_memrefs(%in: memref<300xi32>, %index: memref<300xi32>, %out: memref<20xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  ext.scatter dimension_map([0]) ins(%in, %index : memref<300xi32>, memref<300xi32>) outs(%out : memref<20xi32>) {
  ^bb0(%x: i32, %old: i32):
    %y = arith.addi %x, %old : i32
    ext.yield %y : i32
  }
  return
}
