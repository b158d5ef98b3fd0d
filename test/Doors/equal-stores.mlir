// RUN: memspace-test-opt %s -split-input-file -memspace-map-to-threads=subgroup-size=32 -memspace-insert-barriers=subgroup-size=32 -memspace-verify-barriers='subgroup-size=32 allow-equal-stores' | FileCheck %s
// RUN: not memspace-test-opt %s -split-input-file -memspace-map-to-threads=subgroup-size=32 -memspace-verify-barriers=subgroup-size=32 2>&1 | FileCheck %s --check-prefix=RACE

// Threads that write one value to one place by one op. It is proved: the value is
// computed, or read, from the index that is stored to.

// Each of four subgroups stores all of it.
// CHECK-LABEL: @lanes
// CHECK-NOT: memspace.disjoint
// CHECK: memref.store
// RACE: error: {{.*}}race
func.func @lanes(%x: memref<32xf32>, %y: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  scf.forall (%t) in (32) {
    %v = memref.load %x[%t] : memref<32xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %y[%t] : memref<32xf32>
  } {mapping = [#door.lane<0>]}
  return
}

// -----

// All lanes of a subgroup store its row's constant.
// CHECK-LABEL: @warps
// CHECK: memref.store
// RACE: error: {{.*}}race
func.func @warps(%y: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c = arith.constant 1.0 : f32
  scf.forall (%i) in (32) {
    memref.store %c, %y[%i] : memref<32xf32>
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}
