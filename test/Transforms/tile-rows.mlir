// Upstream's tiling takes the rows of topk, sorts and scans apart, never a row.
// RUN: memspace-opt %s -transform-interpreter -canonicalize -cse -split-input-file | FileCheck %s
// RUN: memspace-opt %s -transform-interpreter -canonicalize -cse -split-input-file | memspace-opt -split-input-file -o /dev/null

// CHECK-LABEL: func @topk
// CHECK-SAME: %[[X:.*]]: tensor<64x100xf32>
// CHECK: scf.forall (%[[B:.*]]) in (16) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<64x10xf32>)
// CHECK:   %[[ROW:.*]] = affine.apply
// CHECK:   %[[XS:.*]] = tensor.extract_slice %[[X]][%[[ROW]], 0] [4, 100] [1, 1]
// CHECK:   %[[OS:.*]] = tensor.extract_slice %[[OUT]][%[[ROW]], 0] [4, 10] [1, 1]
// CHECK:   memspace.topk dimension(1) ins(%[[XS]] : tensor<4x100xf32>) values(%[[OS]] : tensor<4x10xf32>)
// CHECK:   tensor.parallel_insert_slice %{{.*}} into %[[OUT]][%[[ROW]], 0] [4, 10] [1, 1]
func.func @topk(%x: tensor<64x100xf32>, %v: tensor<64x10xf32>) -> tensor<64x10xf32> {
  %0 = memspace.topk dimension(1) ins(%x : tensor<64x100xf32>) values(%v : tensor<64x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<64x10xf32>
  return %0 : tensor<64x10xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["memspace.topk"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [4] (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A dynamic number of rows, on memrefs, in place.
// CHECK-LABEL: func @sort
// CHECK: scf.for
// CHECK:   memref.subview %{{.*}}[%[[I:.*]], 0] [%[[N:.*]], 8] [1, 1]
// CHECK:   memspace.sort dimension(1) ins(%{{.*}}, %{{.*}} : memref<?x8xf32, strided<[8, 1], offset: ?>>, memref<?x8xi32, strided<[8, 1], offset: ?>>)
func.func @sort(%x: memref<?x8xf32>, %y: memref<?x8xi32>) {
  memspace.sort dimension(1) ins(%x, %y : memref<?x8xf32>, memref<?x8xi32>) outs(%x, %y : memref<?x8xf32>, memref<?x8xi32>) {
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
    %first = arith.cmpf olt, %a, %b : f32
    memspace.yield %first : i1
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["memspace.sort"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A producer of a consumer's tile: fused, since the tile has whole rows.
// CHECK-LABEL: func @fused
// CHECK: scf.forall
// CHECK:   memspace.sort_indices dimension(0) ins(%{{.*}} : tensor<100x2xf32>) outs(%{{.*}} : tensor<100x2xi32>)
// CHECK:   linalg.generic
func.func @fused(%x: tensor<100x8xf32>, %i: tensor<100x8xi32>, %o: tensor<100x8xi32>) -> tensor<100x8xi32> {
  %0 = memspace.sort_indices dimension(0) ins(%x : tensor<100x8xf32>) outs(%i : tensor<100x8xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<100x8xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<100x8xi32>) outs(%o : tensor<100x8xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %a : i32
    linalg.yield %s : i32
  } -> tensor<100x8xi32>
  return %1 : tensor<100x8xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.match ops{["memspace.sort_indices"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [0, 2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %n = transform.structured.fuse_into_containing_op %p into %l
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The initial value of a scan is one for all rows.
// CHECK-LABEL: @scan
// CHECK-SAME: %[[X:.*]]: tensor<64x100xf32>, %[[FIRST:.*]]: f32
// CHECK: scf.forall (%{{.*}}) in (16) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<64x100xf32>)
// CHECK:   %[[XS:.*]] = tensor.extract_slice %[[X]][%[[ROW:.*]], 0] [4, 100] [1, 1]
// CHECK:   %[[OS:.*]] = tensor.extract_slice %[[OUT]][%[[ROW]], 0] [4, 100] [1, 1]
// CHECK:   memspace.scan dimension(1) exclusive ins(%[[XS]] : tensor<4x100xf32>) initial(%[[FIRST]] : f32) outs(%[[OS]] : tensor<4x100xf32>)
// CHECK:   tensor.parallel_insert_slice %{{.*}} into %[[OUT]][%[[ROW]], 0] [4, 100] [1, 1]
func.func @scan(%x: tensor<64x100xf32>, %first: f32, %y: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %0 = memspace.scan dimension(1) exclusive ins(%x : tensor<64x100xf32>) initial(%first : f32) outs(%y : tensor<64x100xf32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    memspace.yield %sum : f32
  } -> tensor<64x100xf32>
  return %0 : tensor<64x100xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["memspace.scan"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [4] (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
