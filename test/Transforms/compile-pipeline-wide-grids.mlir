// A grid has at most 65,535 workgroups in its second and third dimension: where there
// are more tiles, they are numbered through.
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=sm_90 | FileCheck %s
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 | FileCheck %s

// CHECK-LABEL: func.func @outer_loop_too_long(
// CHECK-SAME: gpu.known_grid_size = array<i32: {{[0-9]+}}, 1, 1>
func.func @outer_loop_too_long(%x: tensor<70000x100x3xf32>) -> tensor<70000x100x3xf32> {
  %e = tensor.empty() : tensor<70000x100x3xf32>
  %g = linalg.exp ins(%x : tensor<70000x100x3xf32>) outs(%e : tensor<70000x100x3xf32>) -> tensor<70000x100x3xf32>
  return %g : tensor<70000x100x3xf32>
}

// CHECK-LABEL: func.func @not_too_long(
// CHECK-SAME: gpu.known_grid_size = array<i32: {{[0-9]+}}, 60000, 1>
func.func @not_too_long(%x: tensor<60000x100x3xf32>) -> tensor<60000x100x3xf32> {
  %e = tensor.empty() : tensor<60000x100x3xf32>
  %g = linalg.exp ins(%x : tensor<60000x100x3xf32>) outs(%e : tensor<60000x100x3xf32>) -> tensor<60000x100x3xf32>
  return %g : tensor<60000x100x3xf32>
}
