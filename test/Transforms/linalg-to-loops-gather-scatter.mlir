// RUN: memspace-opt %s -memspace-linalg-to-loops | FileCheck %s

// CHECK-LABEL: func.func @gather
// CHECK-SAME: %[[T:.*]]: memref<?x8xf32>, %[[I:.*]]: memref<?x1xi32>, %[[OUT:.*]]: memref<?x8xf32>
// CHECK: scf.for %[[N:.*]] = %{{.*}} to %{{.*}}
// CHECK: %[[INDEX:.*]] = memref.load %[[I]][%[[N]], %{{.*}}]
// CHECK: %[[P:.*]] = arith.index_cast %[[INDEX]]
// CHECK: %[[LOW:.*]] = arith.minsi %[[P]]
// CHECK: %[[ROW:.*]] = arith.maxsi %[[LOW]]
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}}
// CHECK: %[[X:.*]] = memref.load %[[T]][%[[ROW]], %[[K]]]
// CHECK: memref.store %[[X]], %[[OUT]][%[[N]], %[[K]]]
func.func @gather(%t: memref<?x8xf32>, %i: memref<?x1xi32>, %out: memref<?x8xf32>) {
  memspace.gather gather_dims([0]) ins(%t, %i : memref<?x8xf32>, memref<?x1xi32>) outs(%out : memref<?x8xf32>)
  return
}

// Of one thread: a load and a store. An index of an i8 that is negative is out of range.
// CHECK-LABEL: func.func @scatter
// CHECK-SAME: %[[U:.*]]: memref<4xf32>, %[[I:.*]]: memref<4x2xi8>, %[[OUT:.*]]: memref<8x8xf32>
// CHECK: %[[A:.*]] = arith.index_cast %{{.*}} : i8 to index
// CHECK: %[[B:.*]] = arith.index_cast %{{.*}} : i8 to index
// CHECK: arith.cmpi ult, %[[A]]
// CHECK: arith.cmpi ult, %[[B]]
// CHECK: scf.if
// CHECK: %[[X:.*]] = memref.load %[[U]]
// CHECK: %[[OLD:.*]] = memref.load %[[OUT]][%[[A]], %[[B]]]
// CHECK: %[[NEW:.*]] = arith.mulf %[[X]], %[[OLD]]
// CHECK: memref.store %[[NEW]], %[[OUT]][%[[A]], %[[B]]]
func.func @scatter(%u: memref<4xf32>, %i: memref<4x2xi8>, %out: memref<8x8xf32>) {
  memspace.scatter scatter_dims([0, 1]) ins(%u, %i : memref<4xf32>, memref<4x2xi8>) outs(%out : memref<8x8xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.mulf %x, %old : f32
    memspace.yield %y : f32
  }
  return
}

// CHECK-LABEL: func.func @atomic
// CHECK-NOT: scf.if
// CHECK: memref.atomic_rmw assign
// CHECK: memref.atomic_rmw addf
// CHECK: memref.generic_atomic_rmw
// CHECK: %[[NEW:.*]] = arith.muli
// CHECK: memref.atomic_yield %[[NEW]]
// CHECK-NOT: memref.store
func.func @atomic(%u: memref<4xf32>, %v: memref<4xi32>, %i: memref<4x1xindex>, %out: memref<8xf32>, %int: memref<8xi32>) {
  memspace.scatter scatter_dims([0]) in_bounds atomic ins(%u, %i : memref<4xf32>, memref<4x1xindex>) outs(%out : memref<8xf32>)
  memspace.scatter scatter_dims([0]) in_bounds atomic ins(%u, %i : memref<4xf32>, memref<4x1xindex>) outs(%out : memref<8xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.addf %old, %x : f32
    memspace.yield %y : f32
  }
  memspace.scatter scatter_dims([0]) in_bounds atomic ins(%v, %i : memref<4xi32>, memref<4x1xindex>) outs(%int : memref<8xi32>) {
  ^bb0(%x: i32, %old: i32):
    %y = arith.muli %x, %old : i32
    memspace.yield %y : i32
  }
  return
}

// Folded, the update is not computed in the compare-and-swap loop, which upstream does not
// lower.
// CHECK-LABEL: func.func @overwrite
// CHECK: %[[SIX:.*]] = arith.constant 6
// CHECK-NOT: memref.generic_atomic_rmw
// CHECK: memref.atomic_rmw assign %[[SIX]], %{{.*}} : (i32, memref<4xi32>) -> i32
// CHECK: memref.generic_atomic_rmw
// CHECK: return
func.func @overwrite(%m: memref<4xi32>, %i: index) {
  %three = arith.constant 3 : i32
  memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%old: i32):
    %six = arith.addi %three, %three : i32
    memref.atomic_yield %six : i32
  }
  memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%old: i32):
    %more = arith.muli %old, %three : i32
    memref.atomic_yield %more : i32
  }
  return
}
