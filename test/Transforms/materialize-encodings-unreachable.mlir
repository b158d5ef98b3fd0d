// Where nothing leads to, encodes may go round in a circle.

// RUN: memspace-opt %s -memspace-materialize-encodings=chip=gfx942 | FileCheck %s

// CHECK-LABEL: func @k(
// CHECK: return
#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [4]>
#u = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [8]>
#w = #memspace.tiled_layout<inner_dims_pos = [1], inner_tiles = [8]>
func.func @k(%p: tensor<10x12xf32,#t>, %q: tensor<10x12xf32,#u>, %r: tensor<10x12xf32,#w>) -> tensor<10x12xf32,#w> {
  return %r : tensor<10x12xf32,#w>
^bb1:
  %0 = memspace.encode ins(%1 : tensor<10x12xf32,#t>) outs(%r : tensor<10x12xf32, #w>)
  %1 = memspace.encode ins(%2 : tensor<10x12xf32,#u>) outs(%p : tensor<10x12xf32, #t>)
  %2 = memspace.encode ins(%1 : tensor<10x12xf32,#t>) outs(%q : tensor<10x12xf32, #u>)
  return %0 : tensor<10x12xf32,#w>
}
