// RUN: memspace-opt %s | memspace-opt | FileCheck %s
// RUN: memspace-opt %s -mlir-print-op-generic | memspace-opt | FileCheck %s

// CHECK-LABEL: func @tensors
//  CHECK-SAME:   (%[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>)
func.func @tensors(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %[[X:.*]]:2 = memspace.exchange %[[A]], %[[B]] [1, 0]
  // CHECK-SAME: : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>, tensor<8xf32>
  %x, %y = memspace.exchange %a, %b [1, 0] : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>, tensor<8xf32>
  // CHECK: return %[[X]]#0, %[[X]]#1
  return %x, %y : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @memrefs
func.func @memrefs(%a: memref<?xi8>, %b: memref<?xi8>, %c: memref<?xi8>) {
  // CHECK: memspace.exchange %{{.*}}, %{{.*}}, %{{.*}} [1, 2, 0] {test.attr} : memref<?xi8>, memref<?xi8>, memref<?xi8>
  // CHECK-NOT: ->
  memspace.exchange %a, %b, %c [1, 2, 0] {test.attr} : memref<?xi8>, memref<?xi8>, memref<?xi8>
  return
}
