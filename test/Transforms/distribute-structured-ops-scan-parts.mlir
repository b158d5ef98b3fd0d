// RUN: memspace-opt %s -memspace-distribute-structured-ops=chip=gfx942 | FileCheck %s

// Nobody knows how long the row is: parts of 256 elements are scanned one after the
// other, from the end on, and begin with what the elements before combine to. The first
// one has none before it.
// CHECK-LABEL: func.func @reverse(
// CHECK:   %[[N:.*]] = tensor.dim
// CHECK:   %[[SOME:.*]] = arith.cmpi ne, %[[N]]
// CHECK:   scf.if %[[SOME]]
// CHECK:     arith.minsi
// CHECK:     scf.forall
// CHECK:     tensor.extract
// CHECK:     linalg.copy
// CHECK:     scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(
// CHECK:       arith.minsi
// CHECK:       scf.forall
// CHECK:       linalg.copy
func.func @reverse(%x: memref<?xf32>, %out: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<?xf32> to tensor<?xf32>
  %s = memspace.scan dimension(0) reverse ins(%t : tensor<?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<?xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// With an initial value there is no such part.
// CHECK-LABEL: func.func @exclusive(
// CHECK-NOT: scf.if
// CHECK: scf.for %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %cst
func.func @exclusive(%x: memref<?xf32>, %out: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %half = arith.constant 0.5 : f32
  %t = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<?xf32> to tensor<?xf32>
  %s = memspace.scan dimension(0) exclusive ins(%t : tensor<?xf32>) initial(%half : f32) outs(%o : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<?xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
