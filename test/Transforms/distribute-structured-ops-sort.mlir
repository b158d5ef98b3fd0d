// RUN: memspace-opt %s -memspace-distribute-structured-ops=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -memspace-distribute-structured-ops | FileCheck %s --check-prefix=ONE

// 2 · 64 elements are a subgroup's own: 7 merges, and one more whose first step is
// by all threads. Without a subgroup size there is one nest of loops.
// CHECK-LABEL: func.func @sort
// CHECK: %[[C199:.*]] = arith.constant 199 : index
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<256xf32>)
// CHECK: arith.minui %{{.*}}, %[[C199]]
// CHECK: %[[END:.*]] = arith.constant 7 : index
// CHECK: scf.for %{{.*}} to %[[END]]
// CHECK: scf.for
// CHECK: scf.forall (%{{.*}}) in (128) shared_outs(%[[T:.*]] = %{{.*}}) -> (tensor<256xf32>)
// CHECK: arith.cmpf olt
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[T]]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[T]]
// CHECK: mapping = [#gpu.thread<linear_dim_0>]
// CHECK: %[[C7:.*]] = arith.constant 7 : index
// CHECK: %[[C8:.*]] = arith.constant 8 : index
// CHECK: scf.for %{{.*}} = %[[C7]] to %[[C8]]
// CHECK-COUNT-2: scf.forall (
// CHECK: tensor.extract_slice %{{.*}}[0] [200] [1]
// CHECK-NOT: memspace.sort
// ONE-LABEL: func.func @sort
// ONE-COUNT-1: scf.forall (
// ONE-NOT: scf.forall (
func.func @sort(%x: memref<200xf32>, %out: memref<200xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<200xf32> to tensor<200xf32>
  %e = tensor.empty() : tensor<200xf32>
  %s = memspace.sort dimension(0) ins(%t : tensor<200xf32>) outs(%e : tensor<200xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<200xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<200xf32>, memref<200xf32>) -> ()
  return
}

// One element, or none, is sorted.
// ONE-LABEL: func.func @single
// CHECK-LABEL: func.func @single
// CHECK-NOT: scf.forall
// CHECK: linalg.copy
// CHECK: return
func.func @single(%x: memref<4x1xf32>, %out: memref<4x1xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<4x1xf32> to tensor<4x1xf32>
  %e = tensor.empty() : tensor<4x1xf32>
  %s = memspace.sort dimension(1) ins(%t : tensor<4x1xf32>) outs(%e : tensor<4x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<4x1xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<4x1xf32>, memref<4x1xf32>) -> ()
  return
}

// A thread's own.
// CHECK-LABEL: func.func @own
// CHECK: memspace.sort dimension(0)
func.func @own(%x: memref<32x5xf32>, %out: memref<32x5xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<32x5xf32> to tensor<32x5xf32>
  %e = tensor.empty() : tensor<32x5xf32>
  %r = scf.forall (%i) in (32) shared_outs(%o = %e) -> (tensor<32x5xf32>) {
    %row = tensor.extract_slice %t[%i, 0] [1, 5] [1, 1] : tensor<32x5xf32> to tensor<5xf32>
    %own = tensor.empty() : tensor<5xf32>
    %s = memspace.sort dimension(0) ins(%row : tensor<5xf32>) outs(%own : tensor<5xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.cmpf olt, %a, %b : f32
      memspace.yield %c : i1
    } -> tensor<5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 5] [1, 1] : tensor<5xf32> into tensor<32x5xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32x5xf32>, memref<32x5xf32>) -> ()
  return
}
