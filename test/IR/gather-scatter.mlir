// RUN: memspace-opt %s | memspace-opt | FileCheck %s
// RUN: memspace-opt %s -canonicalize | FileCheck %s --check-prefix=CANON
// RUN: memspace-opt %s -one-shot-bufferize -canonicalize | FileCheck %s --check-prefix=BUF

// CHECK-LABEL: func.func @rows
// CHECK: memspace.gather gather_dims([0]) in_bounds ins(%{{.*}}, %{{.*}} : tensor<100x8xf32>, tensor<4x1xi32>) outs(%{{.*}} : tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memspace.scatter scatter_dims([0]) unique_indices in_bounds ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x1xi32>) outs(%{{.*}} : tensor<100x8xf32>) -> tensor<100x8xf32>
// CANON-LABEL: func.func @rows
// CANON: memspace.gather
// CANON: memspace.scatter
// The gather has memory of its own; what is read is not copied. The scatter, into an
// argument that must not change, has a copy of all of it.
// BUF-LABEL: func.func @rows
// BUF: %[[ROWS:.*]] = memref.alloc() {{.*}} : memref<4x8xf32>
// BUF-NOT: memref.copy
// BUF: memspace.gather gather_dims([0]) in_bounds ins(%{{.*}}, %{{.*}} : {{.*}}) outs(%[[ROWS]] : memref<4x8xf32>){{$}}
// BUF: %[[OUT:.*]] = memref.alloc() {{.*}} : memref<100x8xf32>
// BUF: memref.copy %{{.*}}, %[[OUT]]
// BUF: memspace.scatter scatter_dims([0]) unique_indices in_bounds ins(%[[ROWS]], %{{.*}} : {{.*}}) outs(%[[OUT]] : memref<100x8xf32>){{$}}
func.func @rows(%table: tensor<100x8xf32>, %index: tensor<4x1xi32>) -> tensor<100x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = memspace.gather gather_dims([0]) in_bounds
      ins(%table, %index : tensor<100x8xf32>, tensor<4x1xi32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = memspace.scatter scatter_dims([0]) unique_indices in_bounds
      ins(%r, %index : tensor<4x8xf32>, tensor<4x1xi32>) outs(%table : tensor<100x8xf32>) -> tensor<100x8xf32>
  return %s : tensor<100x8xf32>
}

// Dimensions in the middle, and a combiner.
// CHECK-LABEL: func.func @middle
// CHECK: memspace.gather gather_dims([0, 2]) ins(%{{.*}}, %{{.*}} : tensor<3x?x5xf32>, tensor<6x7x2xindex>) outs(%{{.*}} : tensor<6x7x?xf32>) -> tensor<6x7x?xf32>
// CHECK: memspace.scatter scatter_dims([0, 2]) atomic ins(%{{.*}}, %{{.*}} : tensor<6x7x?xf32>, tensor<6x7x2xindex>) outs(%{{.*}} : tensor<3x?x5xf32>) {
// CHECK-NEXT: ^bb0(%update: f32, %old: f32):
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %update, %old : f32
// CHECK-NEXT: memspace.yield %[[NEW]] : f32
// CHECK-NEXT: } -> tensor<3x?x5xf32>
func.func @middle(%a: tensor<3x?x5xf32>, %index: tensor<6x7x2xindex>, %out: tensor<6x7x?xf32>) -> tensor<3x?x5xf32> {
  %g = memspace.gather gather_dims([0, 2])
      ins(%a, %index : tensor<3x?x5xf32>, tensor<6x7x2xindex>) outs(%out : tensor<6x7x?xf32>) -> tensor<6x7x?xf32>
  %s = memspace.scatter scatter_dims([0, 2]) atomic
      ins(%g, %index : tensor<6x7x?xf32>, tensor<6x7x2xindex>) outs(%a : tensor<3x?x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %n = arith.addf %u, %o : f32
    memspace.yield %n : f32
  } -> tensor<3x?x5xf32>
  return %s : tensor<3x?x5xf32>
}

// Nothing is used: nothing is moved. Without updates the output stays.
// CANON-LABEL: func.func @dead
// CANON-SAME: %[[OUT:[^:]*]]: tensor<8xf32>
// CANON-NEXT: return %[[OUT]]
func.func @dead(%a: tensor<8xf32>, %index: tensor<4x1xindex>, %e: tensor<4xf32>,
                %none: tensor<0x1xindex>, %nothing: tensor<0xf32>) -> tensor<8xf32> {
  %g = memspace.gather gather_dims([0]) ins(%a, %index : tensor<8xf32>, tensor<4x1xindex>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %t = memspace.scatter scatter_dims([0]) ins(%g, %index : tensor<4xf32>, tensor<4x1xindex>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %s = memspace.scatter scatter_dims([0]) ins(%nothing, %none : tensor<0xf32>, tensor<0x1xindex>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// A combiner that yields the update is none.
// CANON-LABEL: func.func @overwrite
// CANON: memspace.scatter scatter_dims([1, 0]) ins({{.*}}) outs({{.*}}) -> tensor<8x8xf32>
func.func @overwrite(%a: tensor<8x8xf32>, %u: tensor<4xf32>, %index: tensor<4x2xindex>) -> tensor<8x8xf32> {
  %s = memspace.scatter scatter_dims([1, 0]) ins(%u, %index : tensor<4xf32>, tensor<4x2xindex>) outs(%a : tensor<8x8xf32>) {
  ^bb0(%x: f32, %old: f32):
    memspace.yield %x : f32
  } -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

// A scatter reads what it does not overwrite: in place where nobody needs the old value.
// BUF-LABEL: func.func @in_place
// BUF: %[[M:.*]] = memref.alloc
// BUF-NOT: memref.alloc
// BUF-NOT: memref.copy
// BUF: linalg.fill {{.*}} outs(%[[M]] :
// BUF: memspace.scatter {{.*}} outs(%[[M]] :
// BUF-NOT: memref.copy
// BUF: return
func.func @in_place(%f: f32, %u: tensor<4xf32>, %index: tensor<4x1xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = memspace.scatter scatter_dims([0]) ins(%u, %index : tensor<4xf32>, tensor<4x1xindex>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %v = tensor.extract %s[%c0] : tensor<8xf32>
  return %v : f32
}
