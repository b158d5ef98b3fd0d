// RUN: %python %S/run.py %s
// Each thread finds the first elements for itself.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0.min() + np.zeros(64, np.int32)
func.func @memrefs_topk_own(%x: memref<64xi32>, %y: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %own = memref.alloca() : memref<2xi32>
  memspace.topk dimension(0) ins(%x : memref<64xi32>) values(%own : memref<2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %f = arith.cmpi slt, %a, %b : i32
    memspace.yield %f : i1
  }
  scf.forall (%t) in (64) {
    %b = memref.load %own[%c0] : memref<2xi32>
    memref.store %b, %y[%t] : memref<64xi32>
  } {mapping = [#gpu.thread<x>]}
  return
}
