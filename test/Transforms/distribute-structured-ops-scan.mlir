// RUN: memspace-opt %s -memspace-distribute-structured-ops="chip=gfx942 subgroup-size=32" | FileCheck %s
// RUN: memspace-opt %s -memspace-distribute-structured-ops | FileCheck %s

// 128 threads, 8 elements each but the last: 124 totals are shared, 32 at a time are
// scanned in 5 steps, and each thread then combines those before it. Without a
// subgroup size, or with one that is not the chip's, nothing is passed by shuffles.
// CHECK-LABEL: func.func @scan
// CHECK: tensor.empty() : tensor<124xf32>
// CHECK: scf.forall (%{{.*}}) in (124)
// CHECK: scf.for
// CHECK: tensor.extract %{{.*}} : tensor<997xf32>
// CHECK: arith.addf
// CHECK: mapping = [#gpu.thread<linear_dim_0>]
// CHECK-COUNT-5: scf.forall (%{{.*}}) in (124)
// CHECK: scf.forall (%[[I:.*]]) in (125) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<997xf32>)
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: tensor.extract_slice %[[OUT]][%{{.*}}] [%[[SIZE]]] [1]
// CHECK: scf.if
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: tensor.insert
// CHECK: tensor.parallel_insert_slice
// CHECK-NOT: memspace.scan
func.func @scan(%x: memref<997xf32>, %out: memref<997xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<997xf32> to tensor<997xf32>
  %e = tensor.empty() : tensor<997xf32>
  %s = memspace.scan dimension(0) ins(%t : tensor<997xf32>) outs(%e : tensor<997xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<997xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<997xf32>, memref<997xf32>) -> ()
  return
}

// A row for each thread: nothing is shared.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: tensor.empty() : tensor<{{[0-9]*}}xf32>
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (16, 8, 1)
// CHECK-NOT: scf.forall (
// CHECK: mapping = [#gpu.thread<linear_dim_2>, #gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]
func.func @rows(%x: memref<16x8x33xf32>, %out: memref<16x8x33xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<16x8x33xf32> to tensor<16x8x33xf32>
  %e = tensor.empty() : tensor<16x8x33xf32>
  %s = memspace.scan dimension(2) exclusive reverse ins(%t : tensor<16x8x33xf32>) initial(%zero : f32) outs(%e : tensor<16x8x33xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<16x8x33xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<16x8x33xf32>, memref<16x8x33xf32>) -> ()
  return
}

// Nothing to scan.
// CHECK-LABEL: func.func @none
// CHECK-NOT: scf.forall
// CHECK: return
func.func @none(%x: memref<4x0xf32>, %out: memref<4x0xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<4x0xf32> to tensor<4x0xf32>
  %e = tensor.empty() : tensor<4x0xf32>
  %s = memspace.scan dimension(1) ins(%t : tensor<4x0xf32>) outs(%e : tensor<4x0xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<4x0xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<4x0xf32>, memref<4x0xf32>) -> ()
  return
}

// A thread's own.
// CHECK-LABEL: func.func @own
// CHECK: memspace.scan dimension(0)
func.func @own(%x: memref<32x5xf32>, %out: memref<32x5xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<32x5xf32> to tensor<32x5xf32>
  %e = tensor.empty() : tensor<32x5xf32>
  %r = scf.forall (%i) in (32) shared_outs(%o = %e) -> (tensor<32x5xf32>) {
    %row = tensor.extract_slice %t[%i, 0] [1, 5] [1, 1] : tensor<32x5xf32> to tensor<5xf32>
    %own = tensor.empty() : tensor<5xf32>
    %s = memspace.scan dimension(0) ins(%row : tensor<5xf32>) outs(%own : tensor<5xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      memspace.yield %c : f32
    } -> tensor<5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 5] [1, 1] : tensor<5xf32> into tensor<32x5xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32x5xf32>, memref<32x5xf32>) -> ()
  return
}
