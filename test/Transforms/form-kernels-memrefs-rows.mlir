// RUN: memspace-opt %s -split-input-file -memspace-form-kernels=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-compile-pipeline=chip=gfx942 | FileCheck %s --check-prefix=FIT

// Ops on rows do not read their outputs, but for what a short row leaves of one.
// CHECK-LABEL: func.func @softmax_and_best_kernel1(
// CHECK: %[[NEW:.*]] = tensor.empty(%{{.*}}) : tensor<8x?xf32>
// CHECK: linalg.generic {{.*}} outs(%[[NEW]] : tensor<8x?xf32>)
// CHECK-LABEL: func.func @softmax_and_best_kernel2(
// CHECK-SAME: %{{.*}}: memref<8x?xf32>, %[[BEST:.*]]: memref<8x4xf32>)
// CHECK: %[[OLD:.*]] = bufferization.to_tensor %[[BEST]]
// CHECK: memspace.topk dimension(1) ins(%{{.*}} : tensor<8x?xf32>) values(%[[OLD]] : tensor<8x4xf32>)
// CHECK-LABEL: func.func @softmax_and_best(
func.func @softmax_and_best(%x: memref<8x?xf32> {memspace.noalias}, %y: memref<8x?xf32> {memspace.noalias},
                            %best: memref<8x4xf32> {memspace.noalias}) {
  linalg.softmax dimension(1) ins(%x : memref<8x?xf32>) outs(%y : memref<8x?xf32>)
  memspace.topk dimension(1) ins(%y : memref<8x?xf32>) values(%best : memref<8x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    memspace.yield %c : i1
  }
  return
}

// -----

// Rows are sorted where they are.
// CHECK-LABEL: func.func @sort_in_place(
// CHECK: memspace.sort dimension(1) ins(%{{.*}} : tensor<8x64xf32>) outs(%{{.*}} : tensor<8x64xf32>)
// FIT-LABEL: func.func @sort_in_place(
// FIT-SAME: gpu.known_block_size
func.func @sort_in_place(%x: memref<8x64xf32>) {
  memspace.sort dimension(1) ins(%x : memref<8x64xf32>) outs(%x : memref<8x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  }
  return
}

// -----

// Nothing but copies: two parts that are apart are stored where they are, and what was
// there is not read.
// CHECK-LABEL: func.func @halves_kernel0(
// CHECK-NOT: tensor.insert_slice
// CHECK-COUNT-2: linalg.copy
// CHECK-LABEL: func.func @halves(
// FIT-LABEL: func.func @halves_kernel0(
// FIT-SAME: gpu.known_block_size
#left = strided<[22, 1]>
#right = strided<[22, 1], offset: 11>
func.func @halves(%x: memref<8x22xf32>, %y: memref<8x22xf32> {llvm.noalias}) {
  %a = memref.subview %x[0, 0] [8, 11] [1, 1] : memref<8x22xf32> to memref<8x11xf32, #left>
  %b = memref.subview %x[0, 11] [8, 11] [1, 1] : memref<8x22xf32> to memref<8x11xf32, #right>
  %c = memref.subview %y[0, 0] [8, 11] [1, 1] : memref<8x22xf32> to memref<8x11xf32, #left>
  %d = memref.subview %y[0, 11] [8, 11] [1, 1] : memref<8x22xf32> to memref<8x11xf32, #right>
  memref.copy %b, %c : memref<8x11xf32, #right> to memref<8x11xf32, #left>
  memref.copy %a, %d : memref<8x11xf32, #left> to memref<8x11xf32, #right>
  return
}

// -----

// A host that calls others keeps its copies.
// CHECK-LABEL: func.func @host(
// CHECK: memref.copy
func.func private @other(memref<8xf32>)
func.func @host(%x: memref<8xf32>, %y: memref<8xf32>) {
  memref.copy %x, %y : memref<8xf32> to memref<8xf32>
  func.call @other(%y) : (memref<8xf32>) -> ()
  return
}

// -----

// One row that is sorted in place: no other workgroup shares it, and the kernel still
// needs no memory but the caller's and registers.
// CHECK-LABEL: func.func @sort_in_place(
// CHECK: memspace.sort
// FIT-LABEL: func.func @sort_in_place(
// FIT-SAME: %[[X:.*]]: memref<777xi32> {memspace.noalias}) {{.*}}memspace.workgroup_bytes = 0
// FIT: memref.subview %[[X]]
func.func @sort_in_place(%x: memref<777xi32> {memspace.noalias}) {
  memspace.sort dimension(0) ins(%x : memref<777xi32>) outs(%x : memref<777xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  }
  return
}
