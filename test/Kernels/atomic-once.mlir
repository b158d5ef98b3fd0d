// RUN: %python %S/run.py %s
// An atomic update outside of the threads' foralls happens once, whatever makes the new value;
// so does a loop over one.
// EXPECT workgroup_bytes=0 barriers<=1
// INPUT a0 = np.array([5, 7, 1, 2])
// RESULT a0 = np.array([6, 9, 15, 2])
func.func @atomic_once(%x: memref<4xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %two = arith.constant 2 : i32
  %0 = memref.generic_atomic_rmw %x[%c0] : memref<4xi32> {
  ^bb0(%old: i32):
    %one = arith.constant 1 : i32
    %new = arith.addi %old, %one : i32
    memref.atomic_yield %new : i32
  }
  %1 = memref.atomic_rmw addi %two, %x[%c1] : (i32, memref<4xi32>) -> i32
  scf.for %i = %c0 to %c3 step %c1 {
    %2 = memref.generic_atomic_rmw %x[%c2] : memref<4xi32> {
    ^bb0(%old: i32):
      %one = arith.constant 1 : i32
      %twice = arith.muli %old, %two : i32
      %new = arith.addi %twice, %one : i32
      memref.atomic_yield %new : i32
    }
  }
  return
}
