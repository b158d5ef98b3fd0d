// RUN: memspace-test-opt %s -memspace-normalize-kernels=subgroup-size=32 | FileCheck %s

// Who calls the steps one by one needs no other pass: the op becomes ours, to which the
// other dialect's interfaces say nothing any more. A constant that canonicalization has
// moved out of the comparator goes back.

// CHECK-LABEL: func.func @normalized
// CHECK: memspace.sort dimension(0) ins(%[[T:.*]] : tensor<8xi32>) outs(%[[T]] : tensor<8xi32>) {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: i32, %[[RIGHT:.*]]: i32):
// CHECK-NEXT:   %[[C:.*]] = arith.constant 7 : i32
// CHECK-NEXT:   %[[X:.*]] = arith.xori %[[LEFT]], %[[C]] : i32
// CHECK-NEXT:   %[[Y:.*]] = arith.xori %[[RIGHT]], %[[C]] : i32
// CHECK-NEXT:   %[[FIRST:.*]] = arith.cmpi slt, %[[X]], %[[Y]] : i32
// CHECK-NEXT:   memspace.yield %[[FIRST]] : i1
// CHECK-NOT: ext.
func.func @normalized(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c7 = arith.constant 7 : i32
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  %s = ext.sort dimension(0) outs(%t : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32):
    %x = arith.xori %a, %c7 : i32
    %y = arith.xori %b, %c7 : i32
    %before = arith.cmpi slt, %x, %y : i32
    ext.yield %before : i1
  } -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}
