// RUN: not memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 2>&1 | FileCheck %s
// RUN: not memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefix=DUMP

// An error does not dump the op, unless asked for.
// CHECK: error: 'linalg.softmax' has no lowering
// CHECK-NOT: see current operation
// DUMP: error: 'linalg.softmax' has no lowering
// DUMP: note: see current operation
func.func @softmax(%a: memref<64x8xf32>, %b: memref<64x8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  linalg.softmax dimension(1) ins(%a : memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  return
}
