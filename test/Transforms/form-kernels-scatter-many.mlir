// RUN: memspace-opt %s -memspace-form-kernels=chip=gfx942 -split-input-file | FileCheck %s

// More updates than one workgroup should take: each of five has a part, the last
// one what is left, and what they update is where the result goes before.

// CHECK: #[[$BEGIN:.*]] = affine_map<(d0) -> (d0 * 4096)>
// CHECK: #[[$COUNT:.*]] = affine_map<(d0) -> (4096, d0 * -4096 + 20011)>
// CHECK-LABEL: func.func @histogram_kernel0(
// CHECK: linalg.copy
// CHECK-LABEL: func.func @histogram_kernel1(
// CHECK-SAME: gpu.known_block_size = array<i32: 256, 1, 1>
// CHECK: %[[TABLE:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK: scf.forall (%[[B:.*]]) in (5) shared_outs(%[[OUT:.*]] = %[[TABLE]])
// CHECK-DAG: %[[AT:.*]] = affine.apply #[[$BEGIN]](%[[B]])
// CHECK-DAG: %[[N:.*]] = affine.min #[[$COUNT]](%[[B]])
// CHECK-DAG: %[[U:.*]] = tensor.extract_slice %{{.*}}[%[[AT]]] [%[[N]]] [1]
// CHECK-DAG: %[[I:.*]] = tensor.extract_slice %{{.*}}[%[[AT]], 0] [%[[N]], 1] [1, 1]
// CHECK: %[[R:.*]] = memspace.scatter scatter_dims([0]) atomic ins(%[[U]], %[[I]] {{.*}}outs(%[[OUT]] :
// CHECK: tensor.parallel_insert_slice %[[R]] into %[[OUT]][0] [33] [1]
// CHECK: mapping = [#gpu.block<x>]
func.func @histogram(%u: tensor<20011xi32>, %i: tensor<20011x1xi32>, %o: tensor<33xi32>) -> tensor<33xi32> {
  %s = memspace.scatter scatter_dims([0]) ins(%u, %i : tensor<20011xi32>, tensor<20011x1xi32>) outs(%o : tensor<33xi32>) {
  ^bb0(%a: i32, %b: i32):
    %r = arith.addi %a, %b : i32
    memspace.yield %r : i32
  } -> tensor<33xi32>
  return %s : tensor<33xi32>
}

// -----

// Parts of one size where there is one that is not much smaller.

// CHECK: func.func @even_kernel1(
// CHECK: scf.forall (%{{.*}}) in (5)
// CHECK: tensor.extract_slice {{.*}} : tensor<20000x1xf32> to tensor<4000x1xf32>
// CHECK-NOT: affine.min
// CHECK: func.func @even(
func.func @even(%u: tensor<20000x1xf32>, %i: tensor<20000x1xi32>, %o: tensor<33x1xf32>) -> tensor<33x1xf32> {
  %s = memspace.scatter scatter_dims([0]) unique_indices in_bounds ins(%u, %i : tensor<20000x1xf32>, tensor<20000x1xi32>) outs(%o : tensor<33x1xf32>) -> tensor<33x1xf32>
  return %s : tensor<33x1xf32>
}

// -----

// The longer of two dimensions of places is cut.

// CHECK: func.func @two_kernel1(
// CHECK: tensor.extract_slice %{{.*}}[0, %[[AT:.*]], 0] [3, 625, 2] [1, 1, 1] : tensor<3x5000x2xi32> to tensor<3x625x2xi32>
// CHECK: tensor.extract_slice %{{.*}}[0, %[[AT]], 0] [3, 625, 1] [1, 1, 1] : tensor<3x5000x1xi32> to tensor<3x625x1xi32>
// CHECK: func.func @two(
func.func @two(%u: tensor<3x5000x2xi32>, %i: tensor<3x5000x1xi32>, %o: tensor<33x2xi32>) -> tensor<33x2xi32> {
  %s = memspace.scatter scatter_dims([0]) in_bounds ins(%u, %i : tensor<3x5000x2xi32>, tensor<3x5000x1xi32>) outs(%o : tensor<33x2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %r = arith.addi %a, %b : i32
    memspace.yield %r : i32
  } -> tensor<33x2xi32>
  return %s : tensor<33x2xi32>
}

// -----

// An unknown number of places may be many.

// CHECK: #[[$BLOCKS:.*]] = affine_map<()[s0] -> (s0 ceildiv 4096)>
// CHECK: func.func @unknown_kernel1(
// CHECK: %[[BLOCKS:.*]] = affine.apply #[[$BLOCKS]]()
// CHECK: scf.forall (%{{.*}}) in (%[[BLOCKS]])
// CHECK: func.func @unknown(
func.func @unknown(%u: tensor<?xi32>, %i: tensor<?x1xi32>, %o: tensor<33xi32>) -> tensor<33xi32> {
  %s = memspace.scatter scatter_dims([0]) in_bounds ins(%u, %i : tensor<?xi32>, tensor<?x1xi32>) outs(%o : tensor<33xi32>) {
  ^bb0(%a: i32, %b: i32):
    %r = arith.addi %a, %b : i32
    memspace.yield %r : i32
  } -> tensor<33xi32>
  return %s : tensor<33xi32>
}

// -----

// One workgroup: few updates, and those that no atomic update takes.

// CHECK-NOT: gpu.block
// CHECK-NOT: gpu.known_block_size
func.func @few(%u: tensor<16384xi32>, %i: tensor<16384x1xi32>, %o: tensor<33xi32>) -> tensor<33xi32> {
  %s = memspace.scatter scatter_dims([0]) ins(%u, %i : tensor<16384xi32>, tensor<16384x1xi32>) outs(%o : tensor<33xi32>) {
  ^bb0(%a: i32, %b: i32):
    %r = arith.addi %a, %b : i32
    memspace.yield %r : i32
  } -> tensor<33xi32>
  return %s : tensor<33xi32>
}

func.func @no_atomic(%u: tensor<20011xf32>, %i: tensor<20011x1xi32>, %o: tensor<33xf32>) -> tensor<33xf32> {
  %s = memspace.scatter scatter_dims([0]) unique_indices ins(%u, %i : tensor<20011xf32>, tensor<20011x1xi32>) outs(%o : tensor<33xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %b : f32
    memspace.yield %r : f32
  } -> tensor<33xf32>
  return %s : tensor<33xf32>
}
