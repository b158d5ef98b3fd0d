// RUN: memspace-opt %s -memspace-linalg-to-loops -memspace-verify-barriers=subgroup-size=32 | FileCheck %s

// A scatter: that the rows are different ones is what a forall has promised.
// CHECK-LABEL: @scatter
// CHECK: scf.for
// CHECK: memref.load %{{.*}} {memspace.disjoint = array<i64: 3>}
// CHECK: memref.store %{{.*}} {memspace.disjoint = array<i64: 3>}
// CHECK: } {memspace.disjoint = array<i64: 3>}
// CHECK: scf.for
// CHECK-NOT: memspace.disjoint
// CHECK: return
func.func @scatter(%index: memref<64xindex>, %in: memref<64x8xf32>, %out: memref<128x8xf32>, %own: memref<64x8xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %row = memref.load %index[%t] : memref<64xindex>
  %from = memref.subview %in[%t, 0] [1, 8] [1, 1] : memref<64x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %to = memref.subview %out[%row, 0] [1, 8] [1, 1] : memref<128x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %mine = memref.subview %own[%t, 0] [1, 8] [1, 1] : memref<64x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  linalg.copy {memspace.disjoint = array<i64: 3>} ins(%from : memref<8xf32, strided<[1], offset: ?>>) outs(%to : memref<8xf32, strided<[1], offset: ?>>)
  linalg.copy ins(%from : memref<8xf32, strided<[1], offset: ?>>) outs(%mine : memref<8xf32, strided<[1], offset: ?>>)
  return
}
