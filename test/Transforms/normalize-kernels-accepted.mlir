// RUN: memspace-opt %s -split-input-file -memspace-normalize-kernels="subgroup-size=32" | FileCheck %s

// What is close to a refused kernel, and right.

// Workgroups write apart by the block id.
// CHECK-LABEL: func @placed_by_block_id
func.func @placed_by_block_id(%x: memref<8xf32>, %out: memref<4x8xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %a = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %b = gpu.block_id x
  %row = memref.subview %out[%b, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %a in restrict writable %row : (tensor<8xf32>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  return
}

// -----

// The two halves of one memref are independent.
// CHECK-LABEL: func @halves
func.func @halves(%x: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %lo = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %hi = memref.subview %x[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %a = bufferization.to_tensor %lo restrict : memref<4xf32, strided<[1]>> to tensor<4xf32>
  %b = bufferization.to_tensor %hi restrict writable : memref<4xf32, strided<[1], offset: 4>> to tensor<4xf32>
  %r = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %hi : (tensor<4xf32>, memref<4xf32, strided<[1], offset: 4>>) -> ()
  return
}

// -----

// Two readers of one memref that nobody writes.
// CHECK-LABEL: func @readers
func.func @readers(%x: memref<8xf32>, %out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %a = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %b = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// An update in place, through a loop and a branch.
// CHECK-LABEL: func @update
func.func @update(%x: memref<8xf32>, %cond: i1, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = bufferization.to_tensor %x restrict writable : memref<8xf32> to tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %u = scf.if %cond -> (tensor<8xf32>) {
      %e = linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %e : tensor<8xf32>
    } else {
      scf.yield %a : tensor<8xf32>
    }
    scf.yield %u : tensor<8xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %x : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Levels may be left out.
// CHECK-LABEL: func @levels
func.func @levels() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  scf.forall (%b) in (4) {
    scf.forall (%g) in (1) {
      scf.forall (%w) in (4) {
        scf.forall (%l) in (100) {
        } {mapping = [#gpu.lane<linear_dim_0>]}
      } {mapping = [#gpu.warp<linear_dim_0>]}
    } {mapping = [#gpu.warpgroup<linear_dim_0>]}
    scf.forall (%t) in (128) {
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
