// RUN: memspace-opt %s -memspace-form-kernels=chip=gfx942 | FileCheck %s --check-prefix=FORM
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 | FileCheck %s

// Rows of unknown length: each thread takes every 64th element, or as many as there are
// threads, and at most one of what is left. One thread did a row before.
// FORM-LABEL: func.func @rows(
// CHECK-DAG: #[[$COUNT:map[0-9]*]] = affine_map<()[s0] -> (s0 floordiv 64)>
// CHECK-DAG: #[[$REST:map[0-9]*]] = affine_map<()[s0] -> (s0 mod 64)>
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: gpu.known_block_size = array<i32: 64, 1, 1>
// CHECK: %[[LENGTH:.*]] = memref.dim %arg0, %c1
// CHECK: %[[TIMES:.*]] = affine.apply #[[$COUNT]]()[%[[LENGTH]]]
// CHECK: %[[PARTS:.*]] = memref.expand_shape %{{.*}} output_shape [1, %[[TIMES]], 64]
// CHECK: %[[LEFT:.*]] = affine.apply #[[$REST]]()[%[[LENGTH]]]
// CHECK: %[[HAS:.*]] = arith.cmpi slt, %thread_id_x, %[[LEFT]]
// CHECK: scf.if %[[HAS]]
// CHECK-NOT: gpu.barrier
// CHECK: %[[TRIPS:.*]] = memref.dim %[[PARTS]], %c1
// CHECK-NOT: gpu.barrier
// CHECK: scf.for %{{.*}} = %c0 to %[[TRIPS]] step %c1
func.func @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
  return %r : tensor<?xf32>
}

// One result: 256 workgroups take parts, whatever there is.
// FORM-LABEL: func.func @all_kernel0(
// FORM: tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
// FORM: tensor.expand_shape {{.*}} : tensor<?x65536xf32> into tensor<?x256x256xf32>
// FORM: iterator_types = ["reduction", "parallel", "reduction"]
// FORM-LABEL: func.func @all_kernel1(
// CHECK-LABEL: func.func @all_kernel0(
// CHECK-SAME: gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 256, 1, 1>
func.func @all(%x: tensor<?x?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32>
}

// Not where it is known that there are few, and of a multiple of 256 nothing is left.
// FORM-LABEL: func.func @few(
// FORM-NOT: @few_kernel1
// CHECK-LABEL: func.func @few(
// CHECK-NOT: mod 256
// CHECK: memref.expand_shape
// CHECK: return
func.func @few(%x: tensor<?xf32> {memspace.bounds = [{min = 256 : i64, max = 4096 : i64, multiple_of = 256 : i64}]}) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// The first of the largest: parts are of neighbours, 256 as long as each other, and put
// together in order; what is left comes behind them. The place counts from the part's first.
// FORM-LABEL: func.func @first_of_largest_kernel0(
// FORM: %[[LENGTH:.*]] = affine.apply #{{.*}}()[%{{.*}}]
// FORM: tensor.expand_shape {{.*}} output_shape [256, %[[LENGTH]]] : tensor<?xf32> into tensor<256x?xf32>
// FORM: iterator_types = ["parallel", "reduction"]
// FORM: %[[PART:.*]] = linalg.index 0
// FORM: %[[AT:.*]] = linalg.index 1
// FORM: %[[FIRST:.*]] = arith.muli %[[PART]], %{{.*}} : index
// FORM: arith.addi %[[FIRST]], %[[AT]] : index
// FORM-LABEL: func.func @first_of_largest_kernel1(
// FORM: iterator_types = ["reduction"]
// CHECK-LABEL: func.func @first_of_largest_kernel0(
// CHECK-LABEL: func.func @first_of_largest_kernel1(
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @first_of_largest(%x: tensor<?xf32>) -> (tensor<f32>, tensor<i32>) {
  %low = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<f32>
  %ei = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %g = linalg.fill ins(%c0 : i32) outs(%ei : tensor<i32>) -> tensor<i32>
  %r:2 = linalg.generic {indexing_maps = [#i, #none, #none], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%f, %g : tensor<f32>, tensor<i32>) {
  ^bb0(%a: f32, %m: f32, %k: i32):
    %j = linalg.index 0 : index
    %n = arith.index_cast %j : index to i32
    %c = arith.cmpf ogt, %a, %m : f32
    %s = arith.select %c, %a, %m : f32
    %t = arith.select %c, %n, %k : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  return %r#0, %r#1 : tensor<f32>, tensor<i32>
}
