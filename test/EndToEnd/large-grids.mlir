// What is reduced of neighbours, at sizes of real networks: one result for each
// thread or a few, so that the grid is one that the GPU can have.
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 -o - | FileCheck %s
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=sm_90 -o - | FileCheck %s --check-prefix=SM90

// CHECK-LABEL: func.func @pooling
// CHECK-SAME: gpu.known_block_size = array<i32: 256, 1, 1>
// CHECK-SAME: gpu.known_grid_size = array<i32: 2097152, 1, 1>
// SM90-LABEL: func.func @pooling
// SM90-SAME: gpu.known_grid_size = array<i32: 8339456, 1, 1>
func.func @pooling(%x: tensor<64x64x512x1024xf32>) -> tensor<64x64x509x1021xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<4x4xf32>
  %empty = tensor.empty() : tensor<64x64x509x1021xf32>
  %init = linalg.fill ins(%least : f32) outs(%empty : tensor<64x64x509x1021xf32>) -> tensor<64x64x509x1021xf32>
  %r = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %window : tensor<64x64x512x1024xf32>, tensor<4x4xf32>)
      outs(%init : tensor<64x64x509x1021xf32>) -> tensor<64x64x509x1021xf32>
  return %r : tensor<64x64x509x1021xf32>
}

// CHECK-LABEL: func.func @columns
// CHECK-SAME: gpu.known_block_size = array<i32: 256, 1, 1>
// CHECK-SAME: gpu.known_grid_size = array<i32: 8388608, 1, 1>
// SM90-LABEL: func.func @columns
// SM90-SAME: gpu.known_grid_size = array<i32: 64, 32768, 1>
func.func @columns(%x: tensor<131072x64x16384xf32>) -> tensor<131072x16384xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<131072x16384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<131072x16384xf32>) -> tensor<131072x16384xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<131072x64x16384xf32>)
      outs(%init : tensor<131072x16384xf32>) dimensions = [1]
  return %r : tensor<131072x16384xf32>
}
