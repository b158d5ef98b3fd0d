// RUN: %python %S/run.py %s
// Each thread gathers into its own memory.
// EXPECT workgroup_bytes=0 barriers=0
// INPUT a2 = np.array([[3],[2],[1],[0]])
// RESULT a1 = a0[3] + np.zeros(64, np.int32)
func.func @memrefs_gather_own(%x: memref<64xi32>, %y: memref<64xi32>, %i: memref<4x1xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %own = memref.alloca() : memref<4xi32>
  memspace.gather gather_dims([0]) ins(%x, %i : memref<64xi32>, memref<4x1xi32>) outs(%own : memref<4xi32>)
  scf.forall (%t) in (64) {
    %b = memref.load %own[%c0] : memref<4xi32>
    memref.store %b, %y[%t] : memref<64xi32>
  } {mapping = [#gpu.thread<x>]}
  return
}
