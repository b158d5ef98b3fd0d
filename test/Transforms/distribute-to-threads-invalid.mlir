// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-distribute-to-threads=chip=gfx942

// S14: the old value of an atomic is used by everybody, so that it can be
// neither repeated nor guarded.
func.func @atomic_result(%count: memref<1xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  // expected-error @+1 {{has side effects and a result, and is executed by every thread of a workgroup; put it and what uses its result into a scf.forall of one iteration}}
  %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
  memref.store %old, %out[%c0] : memref<64xi32>
  return
}

