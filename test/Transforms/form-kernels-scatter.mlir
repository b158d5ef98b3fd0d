// RUN: memspace-opt %s -split-input-file -memspace-form-kernels=chip=gfx942 | FileCheck %s

// What no workgroup can keep is updated where the result goes: the zeros are put there.
// CHECK-LABEL: func.func @sums_kernel0(
// CHECK-SAME: %[[OUT:.*]]: memref<1000x128xf32>)
// CHECK: linalg.fill
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[OUT]]
// CHECK-LABEL: func.func @sums_kernel1(
// CHECK: %[[OLD:.*]] = bufferization.to_tensor %[[OUT:.*]] restrict writable : memref<1000x128xf32>
// CHECK: %[[NEW:.*]] = scf.forall {{.*}} shared_outs(%[[PART:.*]] = %[[OLD]]) -> (tensor<1000x128xf32>)
// CHECK: memspace.scatter {{.*}} outs(%[[PART]] : tensor<1000x128xf32>)
// CHECK: bufferization.materialize_in_destination %[[NEW]] in restrict writable %[[OUT]]
// CHECK-LABEL: func.func @sums(
// CHECK-NOT: memref.alloc
func.func @sums(%x: tensor<100000x128xf32>, %i: tensor<100000x1xi32>) -> tensor<1000x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1000x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1000x128xf32>) -> tensor<1000x128xf32>
  %s = memspace.scatter scatter_dims([0]) ins(%x, %i : tensor<100000x128xf32>, tensor<100000x1xi32>)
      outs(%f : tensor<1000x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.addf %a, %o : f32
    memspace.yield %n : f32
  } -> tensor<1000x128xf32>
  return %s : tensor<1000x128xf32>
}

// -----

// An argument is copied first; the result of which another kernel reads is in the same
// memory as the copy.
// CHECK-LABEL: func.func @largest_kernel0(
// CHECK: linalg.copy
// CHECK-LABEL: func.func @largest(
// CHECK: %[[TABLE:.*]] = memref.alloc() : memref<40000xf32>
// CHECK-NOT: memref.alloc
// CHECK: call @largest_kernel0(%{{.*}}, %[[TABLE]])
// CHECK: call @largest_kernel1(%{{.*}}, %{{.*}}, %[[TABLE]])
// CHECK: call @largest_kernel2(%{{.*}}, %[[TABLE]])
func.func @largest(%x: tensor<64xf32>, %i: tensor<64x1xi32>, %t: tensor<40000xf32>) -> tensor<f32> {
  %low = arith.constant 0xFF800000 : f32
  %s = memspace.scatter scatter_dims([0]) ins(%x, %i : tensor<64xf32>, tensor<64x1xi32>) outs(%t : tensor<40000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.addf %a, %o : f32
    memspace.yield %n : f32
  } -> tensor<40000xf32>
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %m = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%s : tensor<40000xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.maximumf %a, %o : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  return %m : tensor<f32>
}
