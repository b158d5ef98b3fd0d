// RUN: memspace-opt %s | memspace-opt | FileCheck %s
// RUN: memspace-opt %s -canonicalize | FileCheck %s --check-prefix=CANON

// CHECK-LABEL: func @both
// CHECK: memspace.topk dimension(1) ins(%{{.*}} : tensor<8x100xf32>)
// CHECK-SAME: values(%{{.*}} : tensor<8x10xf32>) indices(%{{.*}} : tensor<8x10xi32>)
// CHECK: ^bb0(%[[LEFT:.*]]: f32, %[[RIGHT:.*]]: f32):
// CHECK: -> tensor<8x10xf32>, tensor<8x10xi32>
func.func @both(%x: tensor<8x100xf32>, %v: tensor<8x10xf32>, %i: tensor<8x10xi32>) -> (tensor<8x10xf32>, tensor<8x10xi32>) {
  %0:2 = memspace.topk dimension(1) ins(%x : tensor<8x100xf32>)
      values(%v : tensor<8x10xf32>) indices(%i : tensor<8x10xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<8x10xf32>, tensor<8x10xi32>
  return %0#0, %0#1 : tensor<8x10xf32>, tensor<8x10xi32>
}

// CHECK-LABEL: func @on_memrefs
// CHECK: memspace.topk dimension(0) ins(%{{.*}} : memref<?xf16>) indices(%{{.*}} : memref<4xindex>) {
func.func @on_memrefs(%x: memref<?xf16>, %i: memref<4xindex>) {
  memspace.topk dimension(0) ins(%x : memref<?xf16>) indices(%i : memref<4xindex>) {
  ^bb0(%a: f16, %b: f16):
    %first = arith.cmpf ogt, %a, %b : f16
    memspace.yield %first : i1
  }
  return
}

// CHECK-LABEL: func @order
// CHECK: memspace.sort_indices dimension(0) stable ins(%{{.*}}, %{{.*}} : tensor<64xi32>, tensor<64xf32>) outs(%{{.*}} : tensor<64xi16>)
func.func @order(%x: tensor<64xi32>, %y: tensor<64xf32>, %i: tensor<64xi16>) -> tensor<64xi16> {
  %0 = memspace.sort_indices dimension(0) stable
      ins(%x, %y : tensor<64xi32>, tensor<64xf32>) outs(%i : tensor<64xi16>) {
  ^bb0(%a: i32, %b: i32, %c: f32, %d: f32):
    %first = arith.cmpf ogt, %c, %d : f32
    memspace.yield %first : i1
  } -> tensor<64xi16>
  return %0 : tensor<64xi16>
}

// What nobody uses is not computed (S10, S11).
// CANON-LABEL: func @values_only
// CANON: memspace.topk dimension(0) ins(%{{.*}} : tensor<100xf32>) values(%{{.*}} : tensor<10xf32>) {
func.func @values_only(%x: tensor<100xf32>, %v: tensor<10xf32>, %i: tensor<10xi32>) -> tensor<10xf32> {
  %0:2 = memspace.topk dimension(0) ins(%x : tensor<100xf32>)
      values(%v : tensor<10xf32>) indices(%i : tensor<10xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<10xf32>, tensor<10xi32>
  return %0#0 : tensor<10xf32>
}

// CANON-LABEL: func @indices_only
// CANON: memspace.topk dimension(0) ins(%{{.*}} : tensor<100xf32>) indices(%{{.*}} : tensor<10xi32>) {
func.func @indices_only(%x: tensor<100xf32>, %v: tensor<10xf32>, %i: tensor<10xi32>) -> tensor<10xi32> {
  %0:2 = memspace.topk dimension(0) ins(%x : tensor<100xf32>)
      values(%v : tensor<10xf32>) indices(%i : tensor<10xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<10xf32>, tensor<10xi32>
  return %0#1 : tensor<10xi32>
}

// CANON-LABEL: func @nothing
// CANON-NEXT: return
func.func @nothing(%x: tensor<100xf32>, %v: tensor<10xf32>) {
  %0 = memspace.topk dimension(0) ins(%x : tensor<100xf32>) values(%v : tensor<10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<10xf32>
  return
}
