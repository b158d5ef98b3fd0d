// RUN: memspace-test-opt %s -memspace-verify-barriers='subgroup-size=32 allow-equal-stores' -verify-diagnostics

// Different subgroups store different values, whatever the lane.
func.func @subgroups(%y: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %lane = arith.remui %t, %c32 : index
  %subgroup = arith.divui %t, %c32 : index
  %i = arith.index_cast %subgroup : index to i32
  %f = arith.sitofp %i : i32 to f32
  // expected-error @below {{data race}}
  // expected-note @below {{}}
  memref.store %f, %y[%lane] : memref<32xf32>
  return
}
