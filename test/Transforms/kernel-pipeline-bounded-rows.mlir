// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s

// A row of no elements is left alone: both branches are in the memory that the result
// goes to, and there is no other.
// CHECK-LABEL: func.func @argsort(
// CHECK-SAME: memspace.workgroup_bytes = 0
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
func.func @argsort(%x: memref<64xf32>, %count: memref<index>, %out: memref<?xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %n = memref.load %count[] : memref<index>
  %low = arith.maxsi %n, %c0 : index
  %size = arith.minsi %low, %c64 : index
  %row = tensor.extract_slice %t[0] [%size] [1] : tensor<64xf32> to tensor<?xf32>
  %e = tensor.empty(%size) : tensor<?xi32>
  %s = memspace.sort_indices dimension(0) ins(%row : tensor<?xf32>) outs(%e : tensor<?xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<?xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<?xi32>, memref<?xi32>) -> ()
  return
}

// Of a row that nobody bounds only the tile is in workgroup memory.
// CHECK-LABEL: func.func @best(
// CHECK-SAME: memspace.workgroup_bytes = 3072
func.func @best(%x: memref<?xf32>, %out: memref<7xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<7xf32> to tensor<7xf32>
  %s = memspace.topk dimension(0) ins(%t : tensor<?xf32>) values(%o : tensor<7xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<7xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<7xf32>, memref<7xf32>) -> ()
  return
}
