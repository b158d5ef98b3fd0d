// RUN: memspace-opt %s -memspace-linalg-to-loops | FileCheck %s

// The first element is combined with nothing, and need not be there.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[IN:.*]]: memref<4x?xf32>, %[[OUT:.*]]: memref<4x?xf32>
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[N:.*]] = memref.dim %[[OUT]]
// CHECK: arith.cmpi ne, %[[N]]
// CHECK: scf.if
// CHECK: %[[FIRST:.*]] = memref.load %[[IN]][%[[ROW]], %{{.*}}]
// CHECK: memref.store %[[FIRST]], %[[OUT]][%[[ROW]], %{{.*}}]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[LEFT:.*]] = %[[FIRST]])
// CHECK: %[[X:.*]] = memref.load %[[IN]][%[[ROW]], %[[I]]]
// CHECK: %[[SUM:.*]] = arith.addf %[[LEFT]], %[[X]]
// CHECK: memref.store %[[SUM]], %[[OUT]][%[[ROW]], %[[I]]]
// CHECK: scf.yield %[[SUM]]
// CHECK-NOT: memspace.scan
func.func @rows(%in: memref<4x?xf32>, %out: memref<4x?xf32>) {
  memspace.scan dimension(1) ins(%in : memref<4x?xf32>) outs(%out : memref<4x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  }
  return
}

// In place the element is read before what comes before it is written there.
// CHECK-LABEL: func.func @exclusive
// CHECK-SAME: %[[M:.*]]: memref<8xf32>, %[[F:.*]]: f32
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[LEFT:.*]] = %[[F]])
// CHECK: %[[PLACE:.*]] = arith.subi %{{.*}}, %[[I]]
// CHECK: %[[X:.*]] = memref.load %[[M]][%[[PLACE]]]
// CHECK: %[[SUM:.*]] = arith.addf %[[LEFT]], %[[X]]
// CHECK: memref.store %[[LEFT]], %[[M]][%[[PLACE]]]
// CHECK: scf.yield %[[SUM]]
func.func @exclusive(%m: memref<8xf32>, %f: f32) {
  memspace.scan dimension(0) exclusive reverse ins(%m : memref<8xf32>) initial(%f : f32) outs(%m : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  }
  return
}

// CHECK-LABEL: func.func @empty
// CHECK-NOT: memref.load
// CHECK: return
func.func @empty(%m: memref<0xf32>) {
  memspace.scan dimension(0) ins(%m : memref<0xf32>) outs(%m : memref<0xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  }
  return
}

// What a forall promises of the scan's accesses holds for those of the loop.
// CHECK-LABEL: func.func @promise
// CHECK: memref.load {{.*}} {memspace.disjoint = array<i64: 7>}
// CHECK: memref.store {{.*}} {memspace.disjoint = array<i64: 7>}
// CHECK: memref.load {{.*}} {memspace.disjoint = array<i64: 7>}
// CHECK: memref.store {{.*}} {memspace.disjoint = array<i64: 7>}
func.func @promise(%m: memref<8xf32>) {
  memspace.scan dimension(0) ins(%m : memref<8xf32>) outs(%m : memref<8xf32>)
      attributes {memspace.disjoint = array<i64: 7>} {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  }
  return
}
