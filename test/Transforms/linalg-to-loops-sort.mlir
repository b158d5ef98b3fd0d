// RUN: memspace-opt %s -memspace-linalg-to-loops | FileCheck %s

// Insertion: what comes after the element moves up, its place is where that ends.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[IN:.*]]: memref<?x8xf32>, %[[OUT:.*]]: memref<?x8xf32>
// CHECK: %[[ROWS:.*]] = memref.dim %[[IN]]
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %[[ROWS]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}}
// CHECK: %[[X:.*]] = memref.load %[[IN]][%[[ROW]], %[[I]]]
// CHECK: %[[PLACE:.*]] = scf.while (%[[FREE:.*]] = %[[I]])
// CHECK: %[[ABOVE:.*]] = arith.subi %[[FREE]]
// CHECK: %[[Y:.*]] = memref.load %[[OUT]][%[[ROW]], %[[ABOVE]]]
// CHECK: arith.cmpf olt, %[[X]], %[[Y]]
// CHECK: scf.condition
// CHECK: memref.load %[[OUT]]
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK: memref.store %[[X]], %[[OUT]][%[[ROW]], %[[PLACE]]]
// CHECK-NOT: memspace.sort
func.func @rows(%in: memref<?x8xf32>, %out: memref<?x8xf32>) {
  memspace.sort dimension(1) ins(%in : memref<?x8xf32>) outs(%out : memref<?x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  }
  return
}

// What a forall promises of the sort's accesses holds for those of the loops.
// CHECK-LABEL: func.func @promise
// CHECK-NOT: memref.store %{{[^{]*$}}
// CHECK: memref.store {{.*}} {memspace.disjoint = array<i64: 7>}
// CHECK: return
func.func @promise(%m: memref<8xi32>) {
  memspace.sort dimension(0) ins(%m : memref<8xi32>) outs(%m : memref<8xi32>)
      attributes {memspace.disjoint = array<i64: 7>} {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  }
  return
}
