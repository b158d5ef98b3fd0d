// RUN: memspace-opt %s -memspace-form-kernels=chip=sm_90 | FileCheck %s

// What one kernel hands to the next has the extents of the argument that it began as, in
// another shape.
// CHECK-LABEL: func.func @flat(
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32>,
// CHECK-DAG: %[[M:.*]] = memref.dim %[[X]], %c0
// CHECK-DAG: %[[N:.*]] = memref.dim %[[X]], %c1
// CHECK: %[[ALL:.*]] = arith.muli %[[M]], %[[N]] : index
// CHECK: memref.alloc(%[[ALL]]) : memref<?xf32>
func.func @flat(%x: tensor<?x?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%x : tensor<?x?xf32>) {
  ^bb0(%o: f32):
    %s = arith.negf %o : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %flat = tensor.collapse_shape %y [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%flat : tensor<?xf32>) {
  ^bb0(%o: f32):
    %s = math.exp %o : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %e = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%z : tensor<?xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}

// A result without elements takes no kernel.
// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT: return
func.func @nothing(%x: tensor<4x0xf32>) -> tensor<4x0xf32> {
  %e = tensor.empty() : tensor<4x0xf32>
  %y = linalg.exp ins(%x : tensor<4x0xf32>) outs(%e : tensor<4x0xf32>) -> tensor<4x0xf32>
  return %y : tensor<4x0xf32>
}
