// RUN: memspace-test-opt %s -memspace-linalg-to-loops -split-input-file | FileCheck %s

// An op on memrefs that nobody has shared becomes loops, outside of kernels, too.

// CHECK-LABEL: func.func @sort
// CHECK-NOT: ext.
// CHECK: scf.for
// CHECK: scf.while
// CHECK: arith.cmpi slt
// CHECK: memref.store
func.func @sort(%m: memref<8xi32>) {
  ext.sort dimension(0) outs(%m : memref<8xi32>) {
  ^bb0(%a: i32, %b: i32):
    %before = arith.cmpi slt, %a, %b : i32
    ext.yield %before : i1
  }
  return
}

// -----

// What a forall promises of the op, the accesses that stand for it promise.

// CHECK-LABEL: func.func @promise
// CHECK: scf.for
// CHECK: memref.load %{{.*}}[%{{.*}}] {memspace.disjoint = array<i64: 7>}
// CHECK: memref.store %{{.*}}[%{{.*}}] {memspace.disjoint = array<i64: 7>}
// CHECK: memref.load %{{.*}}[] {memspace.disjoint = array<i64: 7>}
// CHECK-NEXT: memref.store %{{.*}}[] {memspace.disjoint = array<i64: 7>}
func.func @promise(%x: memref<5xi32>, %y: memref<5xi32>, %a: memref<i32>) {
  ext.scan dimension(0) inclusive ins(%x : memref<5xi32>) outs(%y, %a : memref<5xi32>, memref<i32>)
      attributes {memspace.disjoint = array<i64: 7>} {
  ^bb0(%e: i32, %before: i32):
    %sum = arith.addi %before, %e : i32
    ext.yield %sum : i32
  }
  return
}

// -----

// A copy in memory of its own is no access that the op would have to declare.

// CHECK-LABEL: func.func @own_memory
// CHECK: memref.alloca
// CHECK: scf.while
func.func @own_memory(%in: memref<8xi32>, %out: memref<8xi32>) {
  ext.claim "writes memory of its own" ins(%in : memref<8xi32>) outs(%out : memref<8xi32>)
  return
}

// -----

// On tensors the op stays: nothing is decided about it yet.

// CHECK-LABEL: func.func @tensors
// CHECK: ext.claim
func.func @tensors(%in: tensor<8xi32>, %out: tensor<8xi32>) -> tensor<8xi32> {
  %s = ext.claim "none" ins(%in : tensor<8xi32>) outs(%out : tensor<8xi32>) -> tensor<8xi32>
  return %s : tensor<8xi32>
}
