// RUN: memspace-opt %s -split-input-file -memspace-split-large-sorts='chip=gfx942 workgroup-limit=2048' | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-split-large-sorts='chip=gfx942 workgroup-limit=2048' | memspace-opt -split-input-file -o /dev/null

// A row of 1000 i32 takes two kernels: tiles of 256 elements, of which the last one
// is shorter, and the places of their elements among all.
// CHECK-LABEL: func.func @row_tiles(
// CHECK-SAME: %[[IN:.*]]: memref<1000xi32>, %[[WS:.*]]: memref<1000xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>}
// CHECK: %[[X:.*]] = bufferization.to_tensor %[[IN]] restrict : memref<1000xi32>
// CHECK: scf.forall (%{{.*}}) in (4)
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: %[[TILE:.*]] = tensor.extract_slice %[[X]][%[[AT:.*]]] [%[[SIZE]]] [1]
// CHECK: memspace.sort dimension(0) ins(%[[TILE]] : tensor<?xi32>)
// CHECK: mapping = [#gpu.block<x>]
// CHECK-LABEL: func.func @row_merge(
// CHECK-SAME: %[[WS:.*]]: memref<1000xi32>, %[[OUT:.*]]: memref<1000xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>}
// CHECK: scf.for
// CHECK: scf.while
// CHECK: scf.for
// CHECK: scf.while
// CHECK: memref.store %{{.*}}, %[[OUT]][%{{.*}}] {memspace.disjoint = array<i64: 0>, memspace.workgroup_disjoint = array<i64: 0>}
// CHECK-LABEL: func.func @row(
// CHECK-SAME: %[[IN:.*]]: memref<1000xi32>, %[[OUT:.*]]: memref<1000xi32>) {
// CHECK: %[[WS:.*]] = memref.alloc() : memref<1000xi32>
// CHECK-NEXT: call @row_tiles(%[[IN]], %[[WS]])
// CHECK-NEXT: call @row_merge(%[[WS]], %[[OUT]])
// CHECK-NEXT: memref.dealloc %[[WS]]
// CHECK-NEXT: return
func.func @row(%in: memref<1000xi32>, %out: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<1000xi32> to tensor<1000xi32>
  %e = tensor.empty() : tensor<1000xi32>
  %s = memspace.sort dimension(0) ins(%x : tensor<1000xi32>) outs(%e : tensor<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  } -> tensor<1000xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}

// -----

// On memrefs, rows of columns, keys with what belongs to them; the positions that
// make a sort stable count as bytes. Only the tiles sort stably by themselves. Eight tiles
// become one in three rounds, from one workspace to the other and at last to the outputs.
// CHECK-LABEL: func.func @pairs_tiles(
// CHECK: scf.forall (%{{.*}}) in (24)
// CHECK: affine.delinearize_index %{{.*}} into (8, 3)
// CHECK: memspace.sort dimension(0) stable ins(%{{.*}}, %{{.*}} : tensor<64x1xf32>, tensor<64x1xi16>)
// CHECK-LABEL: func.func @pairs_merge(
// CHECK-SAME: %[[K:.*]]: memref<512x3xf32>, %{{.*}}: memref<512x3xi16>, %[[TO:.*]]: memref<512x3xf32>, %{{.*}}: memref<512x3xi16>, %[[LOG:.*]]: index)
// CHECK: affine.delinearize_index %{{.*}} into (512, 3)
// CHECK: %[[TILE:.*]] = arith.shrui %{{.*}}, %[[LOG]]
// CHECK: %[[OTHER:.*]] = arith.xori %[[TILE]]
// CHECK: scf.if
// CHECK: scf.while
// CHECK: else
// CHECK: scf.while
// CHECK: memref.store %{{.*}}, %[[TO]]
// CHECK-LABEL: func.func @pairs(
// CHECK-SAME: %[[K:.*]]: memref<512x3xf32>, %[[V:.*]]: memref<512x3xi16>)
// CHECK: call @pairs_tiles(%[[K]], %[[V]], %[[A:[^,]*]], %[[B:[^)]*]])
// CHECK: %[[L:.*]] = arith.constant 6 : index
// CHECK: call @pairs_merge(%[[A]], %[[B]], %[[C:[^,]*]], %[[D:[^,]*]], %[[L]])
// CHECK: %[[L:.*]] = arith.constant 7 : index
// CHECK: call @pairs_merge(%[[C]], %[[D]], %[[A]], %[[B]], %[[L]])
// CHECK: %[[L:.*]] = arith.constant 8 : index
// CHECK: call @pairs_merge(%[[A]], %[[B]], %[[K]], %[[V]], %[[L]])
func.func @pairs(%k: memref<512x3xf32>, %v: memref<512x3xi16>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  memspace.sort dimension(0) stable ins(%k, %v : memref<512x3xf32>, memref<512x3xi16>) outs(%k, %v : memref<512x3xf32>, memref<512x3xi16>) {
  ^bb0(%a: f32, %b: f32, %p: i16, %q: i16):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  }
  return
}

// -----

// Rows that fit are sorted by one workgroup.
// CHECK-LABEL: func.func @fits(
// CHECK: memspace.sort dimension(0) ins(%{{.*}} : tensor<512xi32>)
// CHECK-NOT: call
func.func @fits(%in: memref<512xi32>, %out: memref<512xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<512xi32> to tensor<512xi32>
  %e = tensor.empty() : tensor<512xi32>
  %s = memspace.sort dimension(0) ins(%x : tensor<512xi32>) outs(%e : tensor<512xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  } -> tensor<512xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<512xi32>, memref<512xi32>) -> ()
  return
}

// -----

// The order only: positions in tiles are sorted, and elements are looked up.
// CHECK-LABEL: func.func @order_tiles(
// CHECK-SAME: %{{.*}}: memref<1024xf32>, %[[WS:.*]]: memref<1024xi32>)
// CHECK: memspace.sort_indices dimension(0) ins(%{{.*}} : tensor<256xf32>) outs(%{{.*}} : tensor<256xi32>)
// CHECK-LABEL: func.func @order_merge(
// CHECK-SAME: %[[WS:.*]]: memref<1024xi32>, %[[IN:.*]]: memref<1024xf32>, %[[OUT:.*]]: memref<1024xi32>)
// CHECK: %[[POSITION:.*]] = memref.load %[[WS]]
// CHECK: %[[CAST:.*]] = arith.index_cast %[[POSITION]]
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%{{.*}}, %[[CAST]])
// CHECK: memref.load %[[IN]][%[[AT]]]
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK-LABEL: func.func @order(
// CHECK: call @order_merge(%{{.*}}, %{{.*}}, %{{.*}}) : (memref<1024xi32>, memref<1024xf32>, memref<1024xi32>)
func.func @order(%in: memref<1024xf32>, %out: memref<1024xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<1024xf32> to tensor<1024xf32>
  %e = tensor.empty() : tensor<1024xi32>
  %s = memspace.sort_indices dimension(0) ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<1024xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1024xi32>, memref<1024xi32>) -> ()
  return
}

// -----

// Positions are those in a tile in the first round only.
// CHECK-LABEL: func.func @long_order_merge(
// CHECK-SAME: %[[WS:.*]]: memref<2048xi32>, %[[TO:.*]]: memref<2048xi32>, %[[IN:.*]]: memref<2048xi32>, %[[LOG:.*]]: index, %[[COUNTED:.*]]: index)
// CHECK: %[[IN_TILE:.*]] = arith.index_cast
// CHECK: %[[TILE:.*]] = arith.shrui %{{.*}}, %[[COUNTED]]
// CHECK: %[[BEGIN:.*]] = arith.shli %[[TILE]], %[[COUNTED]]
// CHECK: arith.addi %[[BEGIN]], %[[IN_TILE]]
// CHECK-LABEL: func.func @long_order(
// CHECK: %[[LOG:.*]] = arith.constant 8 : index
// CHECK: %[[COUNTED:.*]] = arith.constant 8 : index
// CHECK: call @long_order_merge(%{{.*}}, %{{.*}}, %{{.*}}, %[[LOG]], %[[COUNTED]])
// CHECK: %[[LOG:.*]] = arith.constant 9 : index
// CHECK: %[[COUNTED:.*]] = arith.constant 62 : index
// CHECK: call @long_order_merge(%{{.*}}, %{{.*}}, %{{.*}}, %[[LOG]], %[[COUNTED]])
func.func @long_order(%in: memref<2048xi32>, %out: memref<2048xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memspace.sort_indices dimension(0) ins(%in : memref<2048xi32>) outs(%out : memref<2048xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  }
  return
}

// -----

// By a comparator that may be no order a round could leave places that nobody writes: each
// element is searched in all tiles at once, as long as positions lead to elements.
// CHECK-LABEL: func.func @order_of_floats(
// CHECK-COUNT-1: call @order_of_floats_merge(
// CHECK-NEXT: memref.dealloc
func.func @order_of_floats(%in: memref<2048xf32>, %out: memref<2048xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memspace.sort_indices dimension(0) ins(%in : memref<2048xf32>) outs(%out : memref<2048xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  }
  return
}
