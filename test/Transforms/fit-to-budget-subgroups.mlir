// Subgroups that take squares of a tile: 256 threads, eight subgroups (of 32) in 4 x 2 of
// 16 x 32 elements, a thread of each 4 x 4.
// RUN: memspace-opt %s -memspace-form-kernels=chip=sm_90 -memspace-fit-to-budget="chip=sm_90 configuration='threads=256 block=64x64 subgroup=16x32 reduction=16 promote'" | FileCheck %s
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0 * 16 + d1 * 4)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0 * 32 + d1 * 4)>
// CHECK: scf.forall (%[[A:.*]], %[[B:.*]], %[[C:.*]], %[[D:.*]]) in (4, 2, 4, 8)
// CHECK-DAG: affine.apply #[[ROW]](%[[A]], %[[C]])
// CHECK-DAG: affine.apply #[[COLUMN]](%[[B]], %[[D]])
// CHECK: mapping = [#gpu.thread<linear_dim_3>, #gpu.thread<linear_dim_2>, #gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]

// The accumulators are private, and the results are those of rows of threads, bit for bit.
// RUN: memspace-opt %s -memspace-form-kernels=chip=sm_90 -memspace-fit-to-budget="chip=sm_90 configuration='threads=256 block=64x64 subgroup=16x32 reduction=16 promote'" -memspace-kernel-pipeline=chip=sm_90 -o %t.squares.mlir
// RUN: memspace-opt %s -memspace-form-kernels=chip=sm_90 -memspace-fit-to-budget="chip=sm_90 configuration='threads=256 block=64x64 reduction=16 promote'" -memspace-kernel-pipeline=chip=sm_90 -o %t.rows.mlir
// RUN: FileCheck %s --check-prefix=BYTES --input-file=%t.squares.mlir
// BYTES: memspace.private_bytes = 64 : i64
// BYTES-SAME: memspace.workgroup_bytes = 8192 : i64
// RUN: memspace-runner %t.squares.mlir --arg=0:random:1 --arg=1:random:2 --out=2:%t.squares.npy
// RUN: memspace-runner %t.rows.mlir --arg=0:random:1 --arg=1:random:2 --out=2:%t.rows.npy
// RUN: cmp %t.squares.npy %t.rows.npy

// RUN: not memspace-opt %s -memspace-form-kernels=chip=sm_90 -memspace-fit-to-budget="chip=sm_90 configuration='threads=256 block=64x64 subgroup=24x32 reduction=16 promote'" 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: error: nothing of 'matmul' can be shared by subgroups that take 24x32; give sizes that divide the tile

func.func @matmul(%a: tensor<128x64xf32>, %b: tensor<64x128xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %product = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x128xf32>) outs(%fill : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %product : tensor<128x128xf32>
}
