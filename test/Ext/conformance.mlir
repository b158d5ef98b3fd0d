// RUN: memspace-test-opt %s -test-conformance -split-input-file -verify-diagnostics | FileCheck %s

// A dialect's tests run its models on its ops, which stay as they are.

// What a model refuses contradicts nothing.
// CHECK: // uniformity 0, synchronization 0, elements 0, roots 0, collectives 0, structured 3, violations 0
// CHECK-LABEL: func.func @right
// CHECK-NEXT: ext.sort
// CHECK: ext.claim "none"
// CHECK-NEXT: ext.claim "refuses"
// CHECK-NEXT: return
func.func @right(%m: memref<8xi32>, %o: memref<8xi32>, %t: tensor<8xi32>) {
  ext.sort dimension(0) outs(%m : memref<8xi32>) {
  ^bb0(%a: i32, %b: i32):
    %before = arith.cmpi slt, %a, %b : i32
    ext.yield %before : i1
  }
  %0 = ext.claim "none" ins(%t : tensor<8xi32>) outs(%t : tensor<8xi32>) -> tensor<8xi32>
  %1 = ext.claim "refuses" ins(%t : tensor<8xi32>) outs(%t : tensor<8xi32>) -> tensor<8xi32>
  return
}

// -----

// CHECK: structured 3, violations 3
// CHECK-LABEL: func.func @wrong
// CHECK-NEXT: ext.claim "erases"
// CHECK-NEXT: ext.claim "another shape"
// CHECK-NEXT: ext.claim "writes its input"
// CHECK-NEXT: return
func.func @wrong(%m: memref<8xi32>, %o: memref<8xi32>, %t: tensor<8xi32>) {
  // expected-error@+1 {{StructuredOpInterface: its model erases the op}}
  %0 = ext.claim "erases" ins(%t : tensor<8xi32>) outs(%t : tensor<8xi32>) -> tensor<8xi32>
  // expected-error@+1 {{StructuredOpInterface: its model's value for result 0 is 'tensor<3xi32>'}}
  %1 = ext.claim "another shape" ins(%t : tensor<8xi32>) outs(%t : tensor<8xi32>) -> tensor<8xi32>
  // expected-error@+1 {{StructuredOpInterface: its model makes 'memspace.sort', which writes memory}}
  ext.claim "writes its input" ins(%m : memref<8xi32>) outs(%o : memref<8xi32>)
  return
}
