// RUN: %python %S/run.py %s
// What an update returns shows the order: each round of tickets comes after the one
// before, and the last updates after all of them.
// EXPECT workgroup_bytes<=0 barriers<=3
// INPUT a0 = np.zeros(1)
// INPUT a1 = np.zeros((3, 4))
// INPUT a2 = np.zeros(128)
// RESULT a0 = np.array([384])
// RESULT a1 = np.array([[128 * (k + 1) if j == 0 else 0 for j in range(4)] for k in range(3)])
// RESULT a2 = np.full(128, 384)
func.func @atomic_tickets(%n: memref<1xi32>, %most: memref<3x4xi32>, %out: memref<128xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %k = %c0 to %c3 step %c1 {
    scf.forall (%t) in (128) {
      %x = memref.atomic_rmw addi %one, %n[%c0] : (i32, memref<1xi32>) -> i32
      %y = arith.addi %x, %one : i32
      %z = memref.atomic_rmw maxs %y, %most[%k, %c0] : (i32, memref<3x4xi32>) -> i32
    } {mapping = [#gpu.thread<linear_dim_0>]}
  }
  scf.forall (%t) in (128) {
    %q = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
    %x = memref.atomic_rmw addi %zero, %n[%c0] : (i32, memref<1xi32>) -> i32
    memref.store %x, %out[%q] : memref<128xi32>
  } {mapping = [#gpu.thread<linear_dim_0>]}
  return
}
