// RUN: memspace-opt %s -split-input-file -memspace-form-kernels=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-compile-pipeline=chip=gfx942 | FileCheck %s --check-prefix=FIT

// Functions as other compilers write them. A reduced dimension that is kept, with one
// element at the constant index 0, is dropped: rows are shared out as if it were not there.
// CHECK-LABEL: func.func @kept_dimension(
// CHECK-NOT: x1xf32
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK-NOT: func.func
// FIT-LABEL: func.func @kept_dimension(
// FIT-SAME: memspace.grid_size
#ij = affine_map<(i, j) -> (i, j)>
#i0 = affine_map<(i, j) -> (i, 0)>
func.func @kept_dimension(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x1xf32>) -> tensor<?x1xf32>
  %s = linalg.generic {indexing_maps = [#ij, #i0], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x64xf32>) outs(%f : tensor<?x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<?x1xf32>
  // Its own loop of one iteration goes, too.
  %q = linalg.generic {indexing_maps = [#i0, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<?x1xf32>) outs(%e : tensor<?x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.sqrt %a : f32
    linalg.yield %t : f32
  } -> tensor<?x1xf32>
  %g = tensor.empty(%n) : tensor<?x64xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i0, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %q : tensor<?x64xf32>, tensor<?x1xf32>) outs(%g : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// -----

// A batch of one is a loop, not a constant: what follows a convolution is fused with it.
// CHECK-LABEL: func.func @batch_of_one(
// CHECK: %[[C:.*]] = linalg.conv_2d_nchw_fchw
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[C]] : tensor<1x8x6x6xf32>)
// CHECK-NOT: func.func
// FIT-LABEL: func.func @batch_of_one(
func.func @batch_of_one(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) outs(%f : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (0, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<1x8x6x6xf32>) outs(%e : tensor<1x8x6x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %a, %zero : f32
    linalg.yield %t : f32
  } -> tensor<1x8x6x6xf32>
  return %r : tensor<1x8x6x6xf32>
}

// -----

// What must hold of the arguments is asserted by the host, before any kernel.
// CHECK-LABEL: func.func @asserted_kernel0(
// CHECK-NOT: cf.assert
// CHECK-LABEL: func.func @asserted(
// CHECK-SAME: %[[A:.*]]: memref<?x16xf32>, %[[B:.*]]: memref<?x16xf32>, %{{.*}}: memref<?x16xf32>) {
// CHECK-DAG: %[[M:.*]] = memref.dim %[[A]]
// CHECK-DAG: %[[N:.*]] = memref.dim %[[B]]
// CHECK: %[[EQ:.*]] = arith.cmpi eq, %[[M]], %[[N]]
// CHECK: cf.assert %[[EQ]], "sizes differ"
// CHECK: call @asserted_kernel0
// FIT-LABEL: func.func @asserted_kernel0(
// FIT: cf.assert
func.func @asserted(%x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x16xf32>
  %n = tensor.dim %y, %c0 : tensor<?x16xf32>
  %same = arith.cmpi eq, %m, %n : index
  cf.assert %same, "sizes differ"
  %e = tensor.empty(%m) : tensor<?x16xf32>
  %r = linalg.add ins(%x, %y : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// -----

// A loop that fills a tensor bit by bit does so in place; no element is read before.
// CHECK-LABEL: func.func @filled_by_loop_kernel1(
// CHECK: scf.for
// CHECK: tensor.insert_slice
// FIT-LABEL: func.func @filled_by_loop_kernel1(
func.func @filled_by_loop(%x: tensor<6x40xf32>) -> tensor<6x40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x40xf32>
  %s = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<6xf32>) -> tensor<6xf32>
  %r:2 = scf.for %i = %c0 to %c40 step %c1 iter_args(%t = %e, %a = %f) -> (tensor<6x40xf32>, tensor<6xf32>) {
    %column = tensor.extract_slice %x[0, %i] [6, 1] [1, 1] : tensor<6x40xf32> to tensor<6xf32>
    %sum = linalg.add ins(%column, %a : tensor<6xf32>, tensor<6xf32>) outs(%a : tensor<6xf32>) -> tensor<6xf32>
    %next = tensor.insert_slice %sum into %t[0, %i] [6, 1] [1, 1] : tensor<6xf32> into tensor<6x40xf32>
    scf.yield %next, %sum : tensor<6x40xf32>, tensor<6xf32>
  }
  return %r#0 : tensor<6x40xf32>
}
