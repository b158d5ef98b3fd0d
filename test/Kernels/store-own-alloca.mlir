// RUN: %python %S/run.py %s
// Stack memory is each thread's own: each of them stores there, though all store the same.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0 + 3 * a0[5]
func.func @store_own_alloca(%x: memref<64xi32>, %y: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %own = memref.alloca() : memref<2xi32>
  %view = memref.subview %own[1] [1] [1] : memref<2xi32> to memref<1xi32, strided<[1], offset: 1>>
  %v = memref.load %x[%c5] : memref<64xi32>
  memref.store %zero, %view[%c0] : memref<1xi32, strided<[1], offset: 1>>
  scf.for %i = %c0 to %c3 step %c1 {
    %old = memref.load %own[%c1] : memref<2xi32>
    %new = arith.addi %old, %v : i32
    memref.store %new, %own[%c1] : memref<2xi32>
  }
  scf.forall (%t) in (64) {
    %a = memref.load %x[%t] : memref<64xi32>
    %b = memref.load %own[%c1] : memref<2xi32>
    %s = arith.addi %a, %b : i32
    memref.store %s, %y[%t] : memref<64xi32>
  } {mapping = [#gpu.thread<x>]}
  return
}
