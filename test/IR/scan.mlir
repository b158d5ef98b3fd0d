// RUN: memspace-opt %s | memspace-opt | FileCheck %s
// RUN: memspace-opt %s -canonicalize | FileCheck %s --check-prefix=CANON
// RUN: memspace-opt %s -one-shot-bufferize | FileCheck %s --check-prefix=BUF

// The second result needs the first operand, and nobody the third.
// CHECK-LABEL: func.func @unused
// CHECK: memspace.scan dimension(1) exclusive reverse ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xi8>) initial(%{{.*}}, %{{.*}}, %{{.*}} : f32, f32, i8)
// CHECK-NEXT: ^bb0(%left: f32, %left_0: f32, %left_1: i8, %right: f32, %right_2: f32, %right_3: i8):
// CHECK: memspace.yield %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, i8
// CHECK-NEXT: } -> tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xi8>
// CANON-LABEL: func.func @unused
// CANON-SAME: %{{.*}}: tensor<2x8xf32>, %{{.*}}: tensor<2x8xf32>, %{{.*}}: tensor<2x8xi8>, %[[I:.*]]: f32, %{{.*}}: i8
// CANON: %[[S:.*]]:2 = memspace.scan dimension(1) exclusive reverse ins(%{{.*}}, %{{.*}} : tensor<2x8xf32>, tensor<2x8xf32>) initial(%[[I]], %[[I]] : f32, f32) outs(%{{.*}}, %{{.*}} : tensor<2x8xf32>, tensor<2x8xf32>) {
// CANON-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[D:.*]]: f32):
// CANON-NEXT: %[[F:.*]] = arith.mulf %[[A]], %[[C]]
// CANON-NEXT: %[[G:.*]] = arith.mulf %[[B]], %[[C]]
// CANON-NEXT: %[[H:.*]] = arith.addf %[[G]], %[[D]]
// CANON-NEXT: memspace.yield %[[F]], %[[H]] : f32, f32
// CANON: return %[[S]]#1
func.func @unused(%k: tensor<2x8xf32>, %p: tensor<2x8xf32>, %q: tensor<2x8xi8>, %f: f32, %g: i8) -> tensor<2x8xf32> {
  %a = tensor.empty() : tensor<2x8xf32>
  %b = tensor.empty() : tensor<2x8xf32>
  %c = tensor.empty() : tensor<2x8xi8>
  %s:3 = memspace.scan dimension(1) exclusive reverse
      ins(%k, %p, %q : tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xi8>)
      initial(%f, %f, %g : f32, f32, i8)
      outs(%a, %b, %c : tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xi8>) {
  ^bb0(%a0: f32, %b0: f32, %c0: i8, %a1: f32, %b1: f32, %c1: i8):
    %fa = arith.mulf %a0, %a1 : f32
    %m = arith.mulf %b0, %a1 : f32
    %fb = arith.addf %m, %b1 : f32
    %fc = arith.addi %c0, %c1 : i8
    memspace.yield %fa, %fb, %fc : f32, f32, i8
  } -> tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xi8>
  return %s#1 : tensor<2x8xf32>
}

// Nothing is used: nothing is scanned.
// CANON-LABEL: func.func @dead
// CANON-NEXT: return
func.func @dead(%k: tensor<8xf32>, %a: tensor<8xf32>) {
  %s = memspace.scan dimension(0) ins(%k : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  } -> tensor<8xf32>
  return
}

// In place where nobody needs the old value, with an initial value between the
// inputs and the outputs.
// BUF-LABEL: func.func @in_place
// BUF: %[[M:.*]] = memref.alloc
// BUF-NOT: memref.alloc
// BUF-NOT: memref.copy
// BUF: memspace.scan dimension(0) exclusive ins(%[[M]] : memref<?xf32>) initial(%{{.*}} : f32) outs(%[[M]] : memref<?xf32>)
// BUF-NOT: memref.copy
// BUF: return
func.func @in_place(%f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = memspace.scan dimension(0) exclusive ins(%t : tensor<?xf32>) initial(%f : f32) outs(%t : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  } -> tensor<?xf32>
  %v = tensor.extract %s[%c0] : tensor<?xf32>
  return %v : f32
}

// Out of place where the old value is read later, without a copy of it.
// BUF-LABEL: func.func @kept
// BUF: %[[OLD:.*]] = memref.alloc
// BUF: %[[NEW:.*]] = memref.alloc
// BUF-NOT: memref.copy
// BUF: memspace.scan dimension(0) ins(%[[OLD]] : memref<8xf32>) outs(%[[NEW]] : memref<8xf32>)
func.func @kept(%f: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = memspace.scan dimension(0) ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  } -> tensor<8xf32>
  %v = tensor.extract %s[%c0] : tensor<8xf32>
  %w = tensor.extract %t[%c0] : tensor<8xf32>
  return %v, %w : f32, f32
}
