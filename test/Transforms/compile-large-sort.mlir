// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 | FileCheck %s

// Rows of 20,000 do not fit in the memory of a workgroup: several sort parts of one into
// a workspace, and then merge them, between the kernels of what comes before and after.
// CHECK-LABEL: func.func @net_kernel0(
// CHECK-LABEL: func.func @net_kernel1_tiles(
// CHECK-SAME: memspace.workgroup_bytes = 8192
// CHECK-LABEL: func.func @net_kernel1_merge(
// CHECK-SAME: memspace.workgroup_bytes = 0
// CHECK-LABEL: func.func @net_kernel2(
// CHECK-LABEL: func.func @net(
// CHECK: call @net_kernel0
// CHECK: call @net_kernel1_tiles(%{{.*}}, %[[SPACE:.*]]) :
// CHECK: call @net_kernel1_merge(%[[SPACE]], %[[OTHER:.*]], %{{.*}}) :
// CHECK: call @net_kernel1_merge(%[[OTHER]], %[[SPACE]], %{{.*}})
// CHECK: call @net_kernel1_merge(%[[SPACE]], %[[OTHER]], %{{.*}})
// CHECK: call @net_kernel1_merge(%[[OTHER]], %{{.*}}, %{{.*}})
// CHECK: call @net_kernel2
func.func @net(%x: tensor<4x20000xf32>) -> tensor<4x20000xf32> {
  %e = tensor.empty() : tensor<4x20000xf32>
  %a = linalg.exp ins(%x : tensor<4x20000xf32>) outs(%e : tensor<4x20000xf32>) -> tensor<4x20000xf32>
  %b = memspace.sort dimension(1) ins(%a : tensor<4x20000xf32>) outs(%e : tensor<4x20000xf32>) {
  ^bb0(%l: f32, %r: f32):
    %c = arith.cmpf olt, %l, %r : f32
    memspace.yield %c : i1
  } -> tensor<4x20000xf32>
  %d = linalg.tanh ins(%b : tensor<4x20000xf32>) outs(%e : tensor<4x20000xf32>) -> tensor<4x20000xf32>
  return %d : tensor<4x20000xf32>
}
