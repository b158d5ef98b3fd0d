// What an op starts with may be a constant: one number is a fill, that each workgroup makes
// for its part, others are copied into its part.
// RUN: memspace-opt %s -memspace-form-kernels=chip=gfx942 -verify-diagnostics | FileCheck %s --check-prefix=FORM
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 2>/dev/null | FileCheck %s

// FORM-LABEL: func.func @splat(
// FORM-NOT: arith.constant dense
// FORM: linalg.fill
// CHECK-LABEL: func.func @splat(
// CHECK-SAME: gpu.known_grid_size = array<i32: 20, 1, 1>
func.func @splat(%x: tensor<128x40xf32>) -> tensor<40xf32> {
  %zero = arith.constant dense<0.0> : tensor<40xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<128x40xf32>) outs(%zero : tensor<40xf32>) dimensions = [0]
  return %r : tensor<40xf32>
}

// FORM-LABEL: func.func @numbers(
// FORM: %[[START:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00
// FORM: linalg.copy {{.*}}ins(%[[START]]
// CHECK-LABEL: func.func @numbers(
// CHECK-SAME: gpu.known_grid_size = array<i32: {{[1-9][0-9]*}}, 1, 1>
func.func @numbers(%x: tensor<128x24xf32>) -> tensor<24xf32> {
  %start = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0]> : tensor<24xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<128x24xf32>) outs(%start : tensor<24xf32>) dimensions = [0]
  return %r : tensor<24xf32>
}

// FORM-LABEL: func.func @tensor_splat(
// FORM-NOT: tensor.splat
// FORM: linalg.fill ins(%{{.*}} : f32)
// CHECK-LABEL: func.func @tensor_splat(
// CHECK-SAME: gpu.known_grid_size = array<i32: 20, 1, 1>
func.func @tensor_splat(%x: tensor<128x40xf32>, %s: f32) -> tensor<40xf32> {
  %start = tensor.splat %s : tensor<40xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<128x40xf32>) outs(%start : tensor<40xf32>) dimensions = [0]
  return %r : tensor<40xf32>
}

// A scan reads nothing of what its output was.
// FORM-LABEL: func.func @scan(
// FORM-NOT: linalg.fill
// FORM: memspace.scan
// CHECK-LABEL: func.func @scan(
// CHECK-SAME: gpu.known_grid_size = array<i32: 37, 1, 1>
func.func @scan(%x: tensor<37x41xf32>) -> tensor<37x41xf32> {
  %zero = arith.constant dense<0.0> : tensor<37x41xf32>
  %r = memspace.scan dimension(1) ins(%x : tensor<37x41xf32>) outs(%zero : tensor<37x41xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    memspace.yield %s : f32
  } -> tensor<37x41xf32>
  return %r : tensor<37x41xf32>
}

// FORM-LABEL: func.func @bits(
// FORM-NOT: tensor.bitcast
// FORM: arith.bitcast %{{.*}} : f32 to i32
// CHECK-LABEL: func.func @bits(
func.func @bits(%x: tensor<64xf32>) -> tensor<64xi32> {
  %r = tensor.bitcast %x : tensor<64xf32> to tensor<64xi32>
  return %r : tensor<64xi32>
}

// torch-mlir asserts that an index is one, in the body.
// FORM-LABEL: func.func @asserted(
// FORM-NOT: cf.assert
// FORM: tensor.extract
// CHECK-LABEL: func.func @asserted(
// CHECK-NOT: cf.assert
#i = affine_map<(i, j) -> (i)>
#ij = affine_map<(i, j) -> (i, j)>
func.func @asserted(%table: tensor<19x5xf32>, %at: tensor<23xi64>) -> tensor<23x5xf32> {
  %e = tensor.empty() : tensor<23x5xf32>
  %zero = arith.constant 0 : i64
  %r = linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<23xi64>) outs(%e : tensor<23x5xf32>) {
  ^bb0(%p: i64, %o: f32):
    %ok = arith.cmpi sge, %p, %zero : i64
    // expected-warning @below {{is not checked: no kernel can stop a program}}
    cf.assert %ok, "index must be larger or equal to 0"
    %t = arith.index_cast %p : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%t, %j] : tensor<19x5xf32>
    linalg.yield %v : f32
  } -> tensor<23x5xf32>
  return %r : tensor<23x5xf32>
}
