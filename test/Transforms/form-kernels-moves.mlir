// RUN: memspace-opt %s -split-input-file -memspace-form-kernels=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-compile-pipeline=chip=gfx942 -memspace-outline-kernels=chip=gfx942 -o /dev/null

// What is put into another tensor, or computed of its place, is an op for each element,
// which others are fused with: nobody holds the whole.

// Each element of a concatenation is of one of the parts; nobody reads what is in
// between.
// CHECK-LABEL: func.func @concat(
// CHECK-NOT: insert_slice
// CHECK: linalg.generic {{.*}} outs(
// CHECK:   %[[I:.*]] = linalg.index 1
// CHECK:   %[[A:.*]] = tensor.extract
// CHECK:   %[[B:.*]] = tensor.extract
// CHECK:   %[[S:.*]] = arith.select %{{.*}}, %[[B]], %[[A]]
// CHECK:   math.exp %[[S]]
// CHECK-NOT: linalg.generic
// CHECK-NOT: func.func
func.func @concat(%x: tensor<300x100xf32>, %y: tensor<300x50xf32>) -> tensor<300x150xf32> {
  %c = tensor.concat dim(1) %x, %y : (tensor<300x100xf32>, tensor<300x50xf32>) -> tensor<300x150xf32>
  %e = math.exp %c : tensor<300x150xf32>
  return %e : tensor<300x150xf32>
}

// -----

// Steps, and a dimension that the source does not have.
// CHECK-LABEL: func.func @insert(
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<8x64x9xf32>)
// CHECK:   %[[I0:.*]] = linalg.index 0
// CHECK:   arith.subi %[[I0]], %c2
// CHECK:   %[[I1:.*]] = linalg.index 1
// CHECK:   %[[FROM:.*]] = arith.subi %[[I1]], %c1
// CHECK:   arith.remsi %[[FROM]], %c3
// CHECK:   arith.divsi %[[FROM]], %c3
// CHECK:   arith.select
func.func @insert(%x: tensor<8x64x9xf32>, %y: tensor<20x9xf32>) -> tensor<8x64x9xf32> {
  %r = tensor.insert_slice %y into %x[2, 1, 0] [1, 20, 9] [1, 3, 1] : tensor<20x9xf32> into tensor<8x64x9xf32>
  return %r : tensor<8x64x9xf32>
}

// -----

// Of a source that may be empty, nothing is read where it is padded.
// CHECK-LABEL: func.func @pad_dynamic(
// CHECK: linalg.generic
// CHECK:   scf.if
// CHECK:     tensor.extract
// CHECK:   } else {
func.func @pad_dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----

// Padding that depends on its place; what it reads is there for padding only.
// CHECK-LABEL: func.func @pad_index(
// CHECK: linalg.generic
// CHECK:   %[[I:.*]] = linalg.index 0
// CHECK:   scf.if
// CHECK:   } else {
// CHECK:     tensor.extract %{{.*}}[%[[I]]]
func.func @pad_index(%x: tensor<8xf32>, %y: tensor<10xf32>) -> tensor<10xf32> {
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %e = tensor.extract %y[%i] : tensor<10xf32>
    tensor.yield %e : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %p : tensor<10xf32>
}

// -----

// CHECK-LABEL: func.func @generate(
// CHECK: linalg.generic
// CHECK:   %[[I:.*]] = linalg.index 0
// CHECK:   arith.index_cast %[[I]] : index to i32
func.func @generate(%n: index) -> tensor<?x4xi32> {
  %g = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %i : index to i32
    tensor.yield %k : i32
  } : tensor<?x4xi32>
  return %g : tensor<?x4xi32>
}

// -----

// The extent of another shape is known from the argument: the grid is.
// CHECK-LABEL: func.func @reshaped(
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %c2 : tensor<4x2x?xf32>
// CHECK: affine.apply
// CHECK-NOT: tensor.dim %{{.*}} : tensor<4x?xf32>
func.func @reshaped(%x: tensor<4x2x?xf32>) -> tensor<4x?xf32> {
  %c = tensor.collapse_shape %x [[0], [1, 2]] : tensor<4x2x?xf32> into tensor<4x?xf32>
  return %c : tensor<4x?xf32>
}

// -----

// An output of another shape serves the next kernel as well, which takes the view itself.
// CHECK-LABEL: func.func @shared_output_kernel0(
// CHECK-SAME: %{{.*}}: memref<4x64xf32>, %[[OUT:.*]]: memref<256xf32>)
// CHECK: bufferization.materialize_in_destination
// CHECK-NOT: bufferization.materialize_in_destination
// CHECK-LABEL: func.func @shared_output_kernel1(
// CHECK-SAME: %[[OUT:.*]]: memref<256xf32>, %{{.*}}: memref<4x64xf32>)
// CHECK: %[[VIEW:.*]] = memref.expand_shape %[[OUT]]
// CHECK: bufferization.to_tensor %[[VIEW]]
// CHECK-LABEL: func.func @shared_output(
// CHECK-NOT: memref.alloc
func.func @shared_output(%x: tensor<4x64xf32>) -> (tensor<256xf32>, tensor<4x64xf32>) {
  %e = tensor.empty() : tensor<4x64xf32>
  %a = linalg.exp ins(%x : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<4x64xf32> into tensor<256xf32>
  %s = memspace.sort dimension(1) ins(%a : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%p: f32, %q: f32):
    %l = arith.cmpf olt, %p, %q : f32
    memspace.yield %l : i1
  } -> tensor<4x64xf32>
  return %c, %s : tensor<256xf32>, tensor<4x64xf32>
}

// -----

// A fill of no known extent that is an input is held by no kernel.
// CHECK-LABEL: func.func @filled_input_kernel0(
// CHECK: linalg.fill
// CHECK-LABEL: func.func @filled_input_kernel1(
func.func @filled_input(%n: index) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// -----

// Nobody gives memory a shape with two unknown extents of one: the collapsed tensor
// stays.
// CHECK-LABEL: func.func @two_unknown(
// CHECK: tensor.collapse_shape
// CHECK-NOT: tensor.expand_shape
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]
func.func @two_unknown(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %s = arith.addf %c, %y : tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

// What is updated behind a view is another kernel's: each workgroup copies its part.
// CHECK-LABEL: func.func @update_of_view_kernel0(
// CHECK-LABEL: func.func @update_of_view_kernel1(
// CHECK: %[[V:.*]] = tensor.collapse_shape
// CHECK: %[[C:.*]] = linalg.copy ins(%[[V]]
// CHECK: linalg.generic {{.*}} outs(%[[C]]
func.func @update_of_view(%x: tensor<8x64xf32>) -> (tensor<512xf32>, tensor<8x64xf32>) {
  %e = tensor.empty() : tensor<8x64xf32>
  %r = linalg.exp ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<8x64xf32> into tensor<512xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%c : tensor<512xf32>) {
  ^bb0(%o: f32):
    %s = arith.negf %o : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  return %n, %r : tensor<512xf32>, tensor<8x64xf32>
}

// -----

// The rows of the slice are not one behind the other, and have no other shape there.
// CHECK-LABEL: func.func @collapsed_slice_kernel0(
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK: linalg.copy ins(%[[S]]
// CHECK-LABEL: func.func @collapsed_slice_kernel1(
// CHECK: tensor.collapse_shape
func.func @collapsed_slice(%x: tensor<64x?xf32>, %n: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %x[0, 3] [64, %n] [1, 1] : tensor<64x?xf32> to tensor<64x?xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<64x?xf32> into tensor<?xf32>
  return %c : tensor<?xf32>
}
