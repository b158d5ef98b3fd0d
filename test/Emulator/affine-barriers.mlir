// RUN: split-file %s %t
// RUN: not memspace-runner %t/carried.mlir 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: memspace-opt %t/carried.mlir -memspace-insert-barriers=chip=gfx942 -o %t/carried-cut.mlir
// RUN: memspace-runner %t/carried-cut.mlir
// RUN: not memspace-runner %t/guarded.mlir 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: memspace-opt %t/guarded.mlir -memspace-insert-barriers=chip=gfx942 -o %t/guarded-cut.mlir
// RUN: memspace-runner %t/guarded-cut.mlir

// Barriers that were placed by what affine.for and affine.if say leave no race
// when the kernels are executed.

// RACE: race

//--- carried.mlir
#wg = #gpu.address_space<workgroup>
func.func @carried(%out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c127, %t : index
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  memref.store %f1, %b[%t] : memref<128xf32, #wg>
  %r:2 = affine.for %k = 0 to 4 iter_args(%p = %a, %q = %b) -> (memref<128xf32, #wg>, memref<128xf32, #wg>) {
    %v = memref.load %q[%m] : memref<128xf32, #wg>
    %w = arith.addf %v, %f1 : f32
    memref.store %w, %p[%t] : memref<128xf32, #wg>
    affine.yield %q, %p : memref<128xf32, #wg>, memref<128xf32, #wg>
  }
  %v = memref.load %r#1[%m] : memref<128xf32, #wg>
  memref.store %v, %out[%t] : memref<128xf32>
  return
}

//--- guarded.mlir
#wg = #gpu.address_space<workgroup>
func.func @guarded(%out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %f1, %a[%t] : memref<128xf32, #wg>
  affine.for %k = 0 to affine_map<(d0) -> (7)>(%t) {
    affine.if affine_set<(d0, d1) : (63 - d0 >= 0, d1 - 1 >= 0)>(%t, %k) {
      %u = affine.apply affine_map<(d0) -> (d0 + 64)>(%t)
      %v = memref.load %a[%u] : memref<128xf32, #wg>
      memref.store %v, %a[%t] : memref<128xf32, #wg>
    }
  }
  %m = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %v = memref.load %a[%m] : memref<128xf32, #wg>
  memref.store %v, %out[%t] : memref<128xf32>
  return
}
