// Upstream's tiling of gathers and scatters.
// RUN: memspace-opt %s -transform-interpreter -canonicalize -cse -split-input-file | FileCheck %s
// RUN: memspace-opt %s -transform-interpreter -canonicalize -cse -split-input-file | memspace-opt -split-input-file -o /dev/null

// Rows of the output, and parts of the rows: the source is whole where the indices choose.
// CHECK-LABEL: func @gather
// CHECK-SAME: %[[TABLE:[^:]*]]: tensor<100x64xf32>, %[[INDEX:[^:]*]]: tensor<8x1xi32>
// CHECK: scf.forall (%[[B:.*]], %[[C:.*]]) in (4, 2) shared_outs(%[[OUT:.*]] = %{{.*}})
// CHECK-DAG: %[[ROW:.*]] = affine.apply #{{.*}}(%[[B]])
// CHECK-DAG: %[[COLUMN:.*]] = affine.apply #{{.*}}(%[[C]])
// CHECK: %[[SOURCE:.*]] = tensor.extract_slice %[[TABLE]][0, %[[COLUMN]]] [100, 32] [1, 1]
// CHECK: %[[PLACES:.*]] = tensor.extract_slice %[[INDEX]][%[[ROW]], 0] [2, 1] [1, 1]
// CHECK: %[[TILE:.*]] = tensor.extract_slice %[[OUT]][%[[ROW]], %[[COLUMN]]] [2, 32] [1, 1]
// CHECK: memspace.gather gather_dims([0]) ins(%[[SOURCE]], %[[PLACES]] : {{.*}}) outs(%[[TILE]] : tensor<2x32xf32>)
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[OUT]][%[[ROW]], %[[COLUMN]]] [2, 32] [1, 1]
func.func @gather(%table: tensor<100x64xf32>, %index: tensor<8x1xi32>, %out: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = memspace.gather gather_dims([0]) ins(%table, %index : tensor<100x64xf32>, tensor<8x1xi32>) outs(%out : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["memspace.gather"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [2, 32] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Dimensions in the middle of the source, and a dynamic extent, on memrefs.
// CHECK-LABEL: func @gather_memref
// CHECK-SAME: %[[A:[^:]*]]: memref<3x?x5xf32>
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[N:.*]] = affine.min
// CHECK: memref.subview %[[A]][0, %[[I]], 0] [3, %[[N]], 5] [1, 1, 1]
// CHECK: memref.subview %{{.*}}[0, 0, %[[I]]] [6, 7, %[[N]]] [1, 1, 1]
// CHECK: memspace.gather gather_dims([0, 2])
func.func @gather_memref(%a: memref<3x?x5xf32>, %index: memref<6x7x2xindex>, %out: memref<6x7x?xf32>) {
  memspace.gather gather_dims([0, 2]) ins(%a, %index : memref<3x?x5xf32>, memref<6x7x2xindex>) outs(%out : memref<6x7x?xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["memspace.gather"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [0, 0, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Each block has columns of the output; the places are taken some at a time, in order.
// CHECK-LABEL: func @scatter
// CHECK-SAME: %[[UPDATES:[^:]*]]: tensor<100x64xf32>, %[[INDEX:[^:]*]]: tensor<100x1xi32>
// CHECK: scf.forall (%[[B:.*]]) in (4) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<1000x64xf32>)
// CHECK: %[[COLUMN:.*]] = affine.apply
// CHECK: %[[TILE:.*]] = tensor.extract_slice %[[OUT]][0, %[[COLUMN]]] [1000, 16] [1, 1]
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[SUMS:.*]] = %[[TILE]]) -> (tensor<1000x16xf32>)
// CHECK: memspace.scatter scatter_dims([0]) ins(%{{.*}}, %{{.*}} : tensor<10x16xf32>, tensor<10x1xi32>) outs(%[[SUMS]] : tensor<1000x16xf32>)
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[OUT]][0, %[[COLUMN]]] [1000, 16] [1, 1]
func.func @scatter(%updates: tensor<100x64xf32>, %index: tensor<100x1xi32>, %out: tensor<1000x64xf32>) -> tensor<1000x64xf32> {
  %0 = memspace.scatter scatter_dims([0]) ins(%updates, %index : tensor<100x64xf32>, tensor<100x1xi32>) outs(%out : tensor<1000x64xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    memspace.yield %s : f32
  } -> tensor<1000x64xf32>
  return %0 : tensor<1000x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["memspace.scatter"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [0, 16] (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %t2, %l2 = transform.structured.tile_using_for %t tile_sizes [10, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The producer of a tile: fused by its columns, which are whole.
// CHECK-LABEL: func @fused
// CHECK: scf.forall
// CHECK: memspace.scatter scatter_dims([0]) unique_indices ins(%{{.*}}, %{{.*}} : tensor<10x2xf32>, tensor<10x1xi32>) outs(%{{.*}} : tensor<100x2xf32>)
// CHECK: linalg.generic
func.func @fused(%updates: tensor<10x8xf32>, %index: tensor<10x1xi32>, %x: tensor<100x8xf32>, %o: tensor<100x8xf32>) -> tensor<100x8xf32> {
  %0 = memspace.scatter scatter_dims([0]) unique_indices ins(%updates, %index : tensor<10x8xf32>, tensor<10x1xi32>) outs(%x : tensor<100x8xf32>) -> tensor<100x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<100x8xf32>) outs(%o : tensor<100x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<100x8xf32>
  return %1 : tensor<100x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.fuse %op tile_sizes [0, 2] {use_forall}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
