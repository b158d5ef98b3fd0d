// RUN: memspace-opt %s | memspace-opt | FileCheck %s
// RUN: memspace-opt %s -canonicalize | FileCheck %s --check-prefix=CANON
// RUN: memspace-opt %s -one-shot-bufferize | FileCheck %s --check-prefix=BUF

// The third operand is needed by nobody, the first by the comparator.
// CHECK-LABEL: func.func @unused
// CHECK: memspace.sort dimension(1) stable ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<2x8xf32>, tensor<2x8xi32>, tensor<2x8xi8>)
// CHECK-NEXT: ^bb0(%left: f32, %right: f32, %left_0: i32, %right_1: i32, %left_2: i8, %right_3: i8):
// CHECK: memspace.yield %{{.*}} : i1
// CHECK-NEXT: } -> tensor<2x8xf32>, tensor<2x8xi32>, tensor<2x8xi8>
// CANON-LABEL: func.func @unused
// CANON: %[[S:.*]]:2 = memspace.sort dimension(1) stable ins(%{{.*}}, %{{.*}} : tensor<2x8xf32>, tensor<2x8xi32>) outs(%{{.*}}, %{{.*}} : tensor<2x8xf32>, tensor<2x8xi32>) {
// CANON-NEXT: ^bb0(%left: f32, %right: f32, %left_0: i32, %right_1: i32):
// CANON: return %[[S]]#1
func.func @unused(%k: tensor<2x8xf32>, %p: tensor<2x8xi32>, %q: tensor<2x8xi8>) -> tensor<2x8xi32> {
  %a = tensor.empty() : tensor<2x8xf32>
  %b = tensor.empty() : tensor<2x8xi32>
  %c = tensor.empty() : tensor<2x8xi8>
  %s:3 = memspace.sort dimension(1) stable
      ins(%k, %p, %q : tensor<2x8xf32>, tensor<2x8xi32>, tensor<2x8xi8>)
      outs(%a, %b, %c : tensor<2x8xf32>, tensor<2x8xi32>, tensor<2x8xi8>) {
  ^bb0(%x: f32, %y: f32, %i: i32, %j: i32, %m: i8, %n: i8):
    %less = arith.cmpf olt, %x, %y : f32
    memspace.yield %less : i1
  } -> tensor<2x8xf32>, tensor<2x8xi32>, tensor<2x8xi8>
  return %s#1 : tensor<2x8xi32>
}

// Nothing is used: nothing is sorted.
// CANON-LABEL: func.func @dead
// CANON-NEXT: return
func.func @dead(%k: tensor<8xf32>, %a: tensor<8xf32>) {
  %s = memspace.sort dimension(0) ins(%k : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %less = arith.cmpf olt, %x, %y : f32
    memspace.yield %less : i1
  } -> tensor<8xf32>
  return
}

// In place where nobody needs the old value, and the size is not known.
// BUF-LABEL: func.func @in_place
// BUF: %[[M:.*]] = memref.alloc
// BUF-NOT: memref.alloc
// BUF-NOT: memref.copy
// BUF: memspace.sort dimension(0) ins(%[[M]] : memref<?xf32>) outs(%[[M]] : memref<?xf32>)
// BUF-NOT: memref.copy
// BUF: return
func.func @in_place(%f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = memspace.sort dimension(0) ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %less = arith.cmpf olt, %x, %y : f32
    memspace.yield %less : i1
  } -> tensor<?xf32>
  %v = tensor.extract %s[%c0] : tensor<?xf32>
  return %v : f32
}

// Out of place where the old value is read later (S8), without a copy of it.
// BUF-LABEL: func.func @kept
// BUF: %[[OLD:.*]] = memref.alloc
// BUF: %[[NEW:.*]] = memref.alloc
// BUF-NOT: memref.copy
// BUF: memspace.sort dimension(0) ins(%[[OLD]] : memref<8xf32>) outs(%[[NEW]] : memref<8xf32>)
func.func @kept(%f: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = memspace.sort dimension(0) ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %less = arith.cmpf olt, %x, %y : f32
    memspace.yield %less : i1
  } -> tensor<8xf32>
  %v = tensor.extract %s[%c0] : tensor<8xf32>
  %w = tensor.extract %t[%c0] : tensor<8xf32>
  return %v, %w : f32, f32
}

// One tensor for two outputs: each gets memory of its own.
// BUF-LABEL: func.func @one_for_two
// BUF: memspace.sort dimension(0) ins(%{{.*}}, %{{.*}} : {{.*}}) outs(%[[A:[^,]*]], %[[B:[^ ]*]] :
// BUF: memref.load %[[B]]
func.func @one_for_two(%f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %d = tensor.empty() : tensor<8xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s:2 = memspace.sort dimension(0) ins(%t, %t : tensor<8xf32>, tensor<8xf32>) outs(%d, %d : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %i: f32, %j: f32):
    %less = arith.cmpf olt, %x, %y : f32
    memspace.yield %less : i1
  } -> tensor<8xf32>, tensor<8xf32>
  %v = tensor.extract %s#1[%c0] : tensor<8xf32>
  return %v : f32
}
