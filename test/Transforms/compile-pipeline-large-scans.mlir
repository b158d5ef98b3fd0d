// A long row is scanned by several workgroups, between the kernels of what comes before
// and after. Many rows are shared by workgroups as they are, and what a scan does not do
// alone stays in one kernel.
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @alone_totals(
// CHECK-SAME: gpu.known_block_size = array<i32: 512, 1, 1>, gpu.known_grid_size = array<i32: 48, 1, 1>
// CHECK-LABEL: func.func @alone_offsets(
// CHECK-LABEL: func.func @alone_chunks(
// CHECK-LABEL: func.func @alone(
// CHECK: %[[SPACE:.*]] = memref.alloc() : memref<1x48xf32>
// CHECK: call @alone_totals(%{{.*}}, %[[SPACE]])
// CHECK: call @alone_offsets(%[[SPACE]])
// CHECK: call @alone_chunks(%{{.*}}, %{{.*}}, %[[SPACE]])
// CHECK: memref.dealloc %[[SPACE]]
func.func @alone(%x: tensor<100000xf32>) -> tensor<100000xf32> {
  %e = tensor.empty() : tensor<100000xf32>
  %s = memspace.scan dimension(0) ins(%x : tensor<100000xf32>) outs(%e : tensor<100000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    memspace.yield %r : f32
  } -> tensor<100000xf32>
  return %s : tensor<100000xf32>
}

// CHECK-LABEL: func.func @two_kernel0_totals(
// CHECK-LABEL: func.func @two_kernel0_chunks(
// CHECK-LABEL: func.func @two(
// CHECK: call @two_kernel0_totals
// CHECK: call @two_kernel0_offsets
// CHECK: call @two_kernel0_chunks
// CHECK: call @two_kernel1
func.func @two(%x: tensor<100000xf32>) -> tensor<100000xf32> {
  %e = tensor.empty() : tensor<100000xf32>
  %s = memspace.scan dimension(0) ins(%x : tensor<100000xf32>) outs(%e : tensor<100000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    memspace.yield %r : f32
  } -> tensor<100000xf32>
  %t = linalg.tanh ins(%s : tensor<100000xf32>) outs(%e : tensor<100000xf32>) -> tensor<100000xf32>
  return %t : tensor<100000xf32>
}

// CHECK-LABEL: func.func @many_rows(
// CHECK-SAME: gpu.known_block_size
func.func @many_rows(%x: tensor<100x20000xf32>) -> tensor<100x20000xf32> {
  %e = tensor.empty() : tensor<100x20000xf32>
  %s = memspace.scan dimension(1) ins(%x : tensor<100x20000xf32>) outs(%e : tensor<100x20000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    memspace.yield %r : f32
  } -> tensor<100x20000xf32>
  return %s : tensor<100x20000xf32>
}

// A kernel as it was written.
// CHECK-LABEL: func.func @written(
// CHECK-SAME: gpu.known_block_size
func.func @written(%x: memref<100000xf32>, %y: memref<100000xf32>, %z: memref<1xf32>) attributes {
    gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<100000xf32> to tensor<100000xf32>
  %e = tensor.empty() : tensor<100000xf32>
  %s = memspace.scan dimension(0) ins(%t : tensor<100000xf32>) outs(%e : tensor<100000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    memspace.yield %r : f32
  } -> tensor<100000xf32>
  bufferization.materialize_in_destination %s in restrict writable %y : (tensor<100000xf32>, memref<100000xf32>) -> ()
  %last = tensor.extract_slice %s[99999] [1] [1] : tensor<100000xf32> to tensor<1xf32>
  bufferization.materialize_in_destination %last in restrict writable %z : (tensor<1xf32>, memref<1xf32>) -> ()
  return
}
