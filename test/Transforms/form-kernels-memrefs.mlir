// RUN: memspace-opt %s -split-input-file -memspace-form-kernels=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-compile-pipeline=chip=gfx942 | FileCheck %s --check-prefix=FIT

// Ops on whole memrefs become ops on tensors: what is in memory between them is held by
// the kernel, and the output is written once.
// CHECK-LABEL: func.func @bias_relu(
// CHECK-SAME: %[[A:.*]]: memref<64x32xf32> {memspace.noalias}, %{{.*}}: memref<32x48xf32> {memspace.noalias}, %{{.*}}: memref<48xf32> {memspace.noalias}, %[[OUT:.*]]: memref<64x48xf32> {memspace.noalias}) {
// CHECK-NOT: memref.alloc
// CHECK: linalg.matmul {{.*}} -> tensor<64x48xf32>
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: bufferization.materialize_in_destination %[[R]] in restrict writable %[[OUT]]
// CHECK-NOT: func.func
// FIT-LABEL: func.func @bias_relu(
// FIT-SAME: gpu.known_block_size
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
func.func @bias_relu(%a: memref<64x32xf32> {memspace.noalias}, %b: memref<32x48xf32> {memspace.noalias},
                     %bias: memref<48xf32> {memspace.noalias}, %out: memref<64x48xf32> {memspace.noalias}) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x48xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : memref<64x48xf32>, memref<48xf32>) outs(%out : memref<64x48xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  }
  memref.dealloc %c : memref<64x48xf32>
  return
}

// -----

// Sums are added to what is there; parts of memory are slices.
// CHECK-LABEL: func.func @add_to_part(
// CHECK: linalg.matmul
// CHECK: %[[PART:.*]] = memref.subview %{{.*}}[16, 0] [64, 48] [1, 1]
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[PART]]
// CHECK-NOT: func.func
// FIT-LABEL: func.func @add_to_part(
// FIT-SAME: gpu.known_block_size
func.func @add_to_part(%a: memref<64x32xf32> {memspace.noalias}, %b: memref<32x48xf32> {memspace.noalias},
                       %out: memref<96x48xf32> {memspace.noalias}) {
  %part = memref.subview %out[16, 0] [64, 48] [1, 1] : memref<96x48xf32> to memref<64x48xf32, strided<[48, 1], offset: 768>>
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>)
      outs(%part : memref<64x48xf32, strided<[48, 1], offset: 768>>)
  return
}

// -----

// What is read where it is written is updated in place.
// CHECK-LABEL: func.func @relu_in_place(
// FIT-LABEL: func.func @relu_in_place(
// FIT-SAME: gpu.known_block_size
func.func @relu_in_place(%a: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<64x48xf32>) outs(%a : memref<64x48xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @dynamic(
// CHECK: linalg.generic
// CHECK-NOT: func.func
// FIT-LABEL: func.func @dynamic(
// FIT-SAME: memspace.grid_size
func.func @dynamic(%a: memref<?x64xf32>, %out: memref<?x64xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x64xf32>
  %t = memref.alloc(%n) : memref<?x64xf32>
  linalg.exp ins(%a : memref<?x64xf32>) outs(%t : memref<?x64xf32>)
  memref.copy %t, %out : memref<?x64xf32> to memref<?x64xf32>
  memref.dealloc %t : memref<?x64xf32>
  return
}
