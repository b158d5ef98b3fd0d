// RUN: memspace-opt %s -memspace-map-to-threads=chip=gfx942 | FileCheck %s

// The loops of a gather begin with extents of memrefs, of which no op was there before.
// CHECK-LABEL: func.func @gather
// CHECK:         memref.load
// CHECK:         memref.store
func.func @gather(%x: memref<50xi32>, %i: memref<20x1xi32>, %y: memref<20xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  memspace.gather gather_dims([0]) in_bounds ins(%x, %i : memref<50xi32>, memref<20x1xi32>) outs(%y : memref<20xi32>)
  return
}
