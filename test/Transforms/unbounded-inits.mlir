// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-runner %t.mlir --kernel=product --shape=0:5x8 --arg=0:fill:1 --shape=1:8x70 --arg=1:iota --shape=2:5x70 --arg=2:fill:3 --shape=3:5x70 --out=3:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '3 + 8 * (i % 70) + 70 * 28'
// RUN: memspace-runner %t.mlir --kernel=insertion --shape=0:5 --arg=0:iota --shape=1:100 --arg=1:fill:3 --shape=2:100 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy 'np.where((i >= 3) & (i < 8), i - 3, 3)'
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// Updates of memory that may only be read, of unknown size: there is no buffer for
// that, so that the copy is made where the result ends, and updated there.

// CHECK-LABEL: func.func @product
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @product(%a: memref<?x8xf32>, %b: memref<8x?xf32>, %init: memref<?x?xf32>, %out: memref<?x?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %a restrict : memref<?x8xf32> to tensor<?x8xf32>
  %y = bufferization.to_tensor %b restrict : memref<8x?xf32> to tensor<8x?xf32>
  %z = bufferization.to_tensor %init restrict : memref<?x?xf32> to tensor<?x?xf32>
  %p = linalg.matmul ins(%x, %y : tensor<?x8xf32>, tensor<8x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  bufferization.materialize_in_destination %p in restrict writable %out : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @insertion
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @insertion(%a: memref<?xf32>, %init: memref<?xf32>, %out: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %x = bufferization.to_tensor %a restrict : memref<?xf32> to tensor<?xf32>
  %z = bufferization.to_tensor %init restrict : memref<?xf32> to tensor<?xf32>
  %i = tensor.insert_slice %x into %z[3] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  bufferization.materialize_in_destination %i in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
