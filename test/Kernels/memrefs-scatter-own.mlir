// RUN: %python %S/run.py %s
// Each thread scatters into its own memory, which each of them has filled.
// EXPECT workgroup_bytes=0 barriers=0
// INPUT a2 = np.arange(4).reshape(4, 1) % 2
// RESULT a1 = 100 + a0[0] + a0[2] + np.zeros(64, np.int32)
func.func @memrefs_scatter_own(%x: memref<64xi32>, %y: memref<64xi32>, %i: memref<4x1xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : i32
  %own = memref.alloca() : memref<4xi32>
  linalg.fill ins(%c100 : i32) outs(%own : memref<4xi32>)
  %s = memref.subview %x[0] [4] [1] : memref<64xi32> to memref<4xi32, strided<[1]>>
  memspace.scatter scatter_dims([0]) ins(%s, %i : memref<4xi32, strided<[1]>>, memref<4x1xi32>) outs(%own : memref<4xi32>) {
  ^bb0(%a: i32, %b: i32):
    %f = arith.addi %a, %b : i32
    memspace.yield %f : i32
  }
  scf.forall (%t) in (64) {
    %b = memref.load %own[%c0] : memref<4xi32>
    memref.store %b, %y[%t] : memref<64xi32>
  } {mapping = [#gpu.thread<x>]}
  return
}
