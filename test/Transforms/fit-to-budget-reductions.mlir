// RUN: rm -f %t.json
// RUN: memspace-opt %s --memspace-compile-pipeline="chip=gfx942 record=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=OPS < %t.json

// Each thread reduces a part of the plane, and the parts are reduced then: 3125
// elements for each of 64 threads, 782 for each of 256.
// OPS: "configuration": "threads=64"
// OPS: "thread-ops": {{[0-9][0-9]?[0-9]?[0-9]?[0-9]?}},
// OPS: "configuration": "threads=256"
// OPS: "thread-ops": {{[0-9][0-9]?[0-9]?[0-9]?}},
// OPS: "kernel": "plane"
// CHECK-LABEL: func.func @plane
// CHECK: gpu.barrier
func.func @plane(%x: tensor<500x400xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<500x400xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}

// The sums of the rows are no part of the sum of all: 64 workgroups share them.
// CHECK: func.func @rows_kernel0{{.*}}gpu.known_grid_size = array<i32: 64, 1, 1>
func.func @rows(%x: tensor<64x8000xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<64xf32>
  %rowInit = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %sums = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x8000xf32>) outs(%rowInit : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    %s = arith.addf %o, %e : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]}
      ins(%sums : tensor<64xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %l = math.log %a : f32
    %s = arith.addf %o, %l : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}
