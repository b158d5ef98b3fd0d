// RUN: memspace-opt %s -memspace-linalg-to-loops | FileCheck %s

// An insertion into the first K; what falls out at the end is gone. Without values
// they are looked up where the indices are.
// CHECK-LABEL: func @topk
// CHECK-SAME: %[[X:.*]]: memref<100xf32>, %[[V:.*]]: memref<10xf32>
// CHECK: %[[K:.*]] = arith.constant 10
// CHECK: scf.for %[[I:.*]] =
// CHECK:   %[[E:.*]] = memref.load %[[X]][%[[I]]]
// CHECK:   %[[BEGIN:.*]] = arith.minui %[[I]], %[[K]]
// CHECK:   %[[PLACE:.*]] = scf.while (%{{.*}} = %[[BEGIN]])
// CHECK:     %[[OTHER:.*]] = memref.load %[[V]]
// CHECK:     arith.cmpf ogt, %[[E]], %[[OTHER]]
// CHECK:   } do {
// CHECK:     arith.cmpi ult, %{{.*}}, %[[K]]
// CHECK:     scf.if
// CHECK:   %[[HASROOM:.*]] = arith.cmpi ult, %[[PLACE]], %[[K]]
// CHECK:   scf.if %[[HASROOM]]
// CHECK:     memref.store %[[E]], %[[V]][%[[PLACE]]]
func.func @topk(%x: memref<100xf32>, %v: memref<10xf32>) {
  memspace.topk dimension(0) ins(%x : memref<100xf32>) values(%v : memref<10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  }
  return
}

// CHECK-LABEL: func @order
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[IDX:.*]]: memref<?xi32>
// CHECK: scf.while
// CHECK:   %[[AT:.*]] = memref.load %[[IDX]]
// CHECK:   %[[CAST:.*]] = arith.index_cast %[[AT]] : i32 to index
// CHECK:   memref.load %[[X]][%[[CAST]]]
func.func @order(%x: memref<?xf32>, %i: memref<?xi32>) {
  memspace.sort_indices dimension(0) ins(%x : memref<?xf32>) outs(%i : memref<?xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  }
  return
}
