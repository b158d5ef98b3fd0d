// RUN: memspace-opt %s -memspace-distribute-structured-ops -canonicalize -split-input-file | FileCheck %s

// Without a subgroup's size, in memory (in registers: distribute-structured-ops-lanes.mlir).
// Blocks of 16 are sorted, then half of them is kept, with those of the other half
// mirrored, until one is left. One row of 64 keeps 16 threads busy: the 3 rows
// are in a loop.
// CHECK-LABEL: func @rows
// CHECK: scf.for %{{.*}} = %{{.*}} to %c3
// CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<1x64xf32>)
// CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<1x64xi32>)
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       scf.forall (%{{.*}}) in (32)
// CHECK:   scf.forall (%{{.*}}) in (32)
// CHECK:   scf.for
// CHECK:     scf.forall (%{{.*}}) in (16)
// CHECK:   scf.forall (%{{.*}}) in (16)
// CHECK:   scf.for
// CHECK:     scf.forall (%{{.*}}) in (8)
// CHECK-NOT: scf.forall (
func.func @rows(%in: memref<3x50xf32>, %out: memref<3x10xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<3x50xf32> to tensor<3x50xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<3x10xf32> to tensor<3x10xf32>
  %r = memspace.topk dimension(1) ins(%t : tensor<3x50xf32>) values(%o : tensor<3x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<3x10xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<3x10xf32>, memref<3x10xf32>) -> ()
  return
}

// -----

// Nothing is asked for, or there is nothing.
// CHECK-LABEL: func @nothing
// CHECK-NOT: scf.forall (
// CHECK-NOT: memspace.topk
// CHECK: return
func.func @nothing(%in: memref<50xf32>, %out: memref<0xf32>, %none: memref<0xf32>, %out2: memref<4xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<50xf32> to tensor<50xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<0xf32> to tensor<0xf32>
  %r = memspace.topk dimension(0) ins(%t : tensor<50xf32>) values(%o : tensor<0xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<0xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<0xf32>, memref<0xf32>) -> ()
  %t2 = bufferization.to_tensor %none restrict : memref<0xf32> to tensor<0xf32>
  %o2 = bufferization.to_tensor %out2 restrict writable : memref<4xf32> to tensor<4xf32>
  %r2 = memspace.topk dimension(0) ins(%t2 : tensor<0xf32>) values(%o2 : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %r2 in restrict writable %out2 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
