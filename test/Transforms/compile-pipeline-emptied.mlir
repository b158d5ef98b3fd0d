// Of ops on tensors without an element nothing is left, and nothing is missing:
// no warning that there is no kernel.
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @sort_of_none(
// CHECK-NEXT: return
func.func @sort_of_none(%x: tensor<4x0xf32>) -> tensor<4x0xf32> {
  %e = tensor.empty() : tensor<4x0xf32>
  %s = memspace.sort dimension(1)  ins(%x : tensor<4x0xf32>) outs(%e : tensor<4x0xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.cmpf olt, %a, %b : f32
    memspace.yield %r : i1
  } -> tensor<4x0xf32>
  return %s : tensor<4x0xf32>
}

// CHECK-LABEL: func.func @topk_of_none(
// CHECK-NEXT: return
func.func @topk_of_none(%x: tensor<?x4xf32>) -> tensor<?x0xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x0xf32>
  %s = memspace.topk dimension(1)  ins(%x : tensor<?x4xf32>) values(%e : tensor<?x0xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.cmpf olt, %a, %b : f32
    memspace.yield %r : i1
  } -> tensor<?x0xf32>
  return %s : tensor<?x0xf32>
}
