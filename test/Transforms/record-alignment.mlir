// RUN: memspace-opt %s -memspace-record-alignment=alignment=32 | FileCheck %s
// RUN: not memspace-opt %s -memspace-record-alignment=alignment=24 2>&1 | FileCheck %s --check-prefix=INVALID

// INVALID: error: arguments cannot be aligned to 24 bytes; give a power of two

// One that is known stays; numbers have no address.

// CHECK-LABEL: func @kernel(
// CHECK-SAME: memref<4xf32> {memspace.alignment = 32 : i64}
// CHECK-SAME: memref<4xf32> {memspace.alignment = 8 : i64}
// CHECK-SAME: %{{[^:]*}}: f32)
func.func @kernel(%a: memref<4xf32>, %b: memref<4xf32> {memspace.alignment = 8 : i64}, %c: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  return
}
