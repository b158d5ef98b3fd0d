// RUN: memspace-opt %s -memspace-assume-alignment | FileCheck %s

// CHECK-LABEL: func @kernel(
// CHECK-SAME: %[[A:[^:]*]]: memref<4xf32> {memspace.alignment = 16 : i64}, %[[B:[^:]*]]: memref<4xf32>
// CHECK-NEXT: %[[AT:.*]] = memref.assume_alignment %[[A]], 16
// CHECK: memref.load %[[AT]]
// CHECK: memref.store %{{.*}}, %[[B]]
func.func @kernel(%a: memref<4xf32> {memspace.alignment = 16 : i64}, %b: memref<4xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  return
}

// CHECK-LABEL: func private @external
func.func private @external(memref<4xf32> {memspace.alignment = 16 : i64})
