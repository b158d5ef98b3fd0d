// RUN: memspace-opt %s -split-input-file -memspace-split-large-scans='chip=gfx942 elements-per-thread=4' | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-split-large-scans='chip=gfx942 elements-per-thread=4' | memspace-opt -split-input-file -o /dev/null

// 1000 elements for 64 threads: 250 chunks of 4, of which the last one needs no total.
// CHECK-LABEL: func.func @row_totals(
// CHECK-SAME: %[[IN:.*]]: memref<1000xi32>, %[[WS:.*]]: memref<1x249xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>}
// CHECK: scf.for
// CHECK: memref.load %[[IN]]
// CHECK-NEXT: arith.addi
// CHECK: memref.store %{{.*}}, %[[WS]][%{{.*}}, %{{.*}}] {memspace.disjoint = array<i64: 0>, memspace.workgroup_disjoint = array<i64: 0>}
// CHECK-LABEL: func.func @row_offsets(
// CHECK-SAME: %[[WS:.*]]: memref<1x249xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>}
// CHECK: scf.forall (%{{.*}}) in (1)
// CHECK: memspace.scan dimension(1) ins(%[[ROW:.*]] : tensor<1x249xi32>) outs(%[[ROW]] : tensor<1x249xi32>)
// CHECK: mapping = [#gpu.block<x>]
// CHECK-LABEL: func.func @row_chunks(
// CHECK-SAME: %[[IN:.*]]: memref<1000xi32>, %[[OUT:.*]]: memref<1000xi32>, %[[WS:.*]]: memref<1x249xi32>)
// CHECK: %[[END:.*]] = affine.min
// CHECK: %[[FIRST:.*]] = memref.load %[[IN]]
// CHECK: %[[BEGIN:.*]] = scf.if
// CHECK:   %[[BEFORE:.*]] = memref.load %[[WS]]
// CHECK:   arith.addi %[[BEFORE]], %[[FIRST]]
// CHECK: else
// CHECK:   scf.yield %[[FIRST]]
// CHECK: memref.store %[[BEGIN]], %[[OUT]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step %{{.*}} iter_args(%{{.*}} = %[[BEGIN]])
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK-LABEL: func.func @row(
// CHECK-SAME: %[[IN:.*]]: memref<1000xi32>, %[[OUT:.*]]: memref<1000xi32>) {
// CHECK: %[[WS:.*]] = memref.alloc() : memref<1x249xi32>
// CHECK-NEXT: call @row_totals(%[[IN]], %[[WS]])
// CHECK-NEXT: call @row_offsets(%[[WS]])
// CHECK-NEXT: call @row_chunks(%[[IN]], %[[OUT]], %[[WS]])
// CHECK-NEXT: memref.dealloc %[[WS]]
// CHECK-NEXT: return
func.func @row(%in: memref<1000xi32>, %out: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<1000xi32> to tensor<1000xi32>
  %e = tensor.empty() : tensor<1000xi32>
  %s = memspace.scan dimension(0) ins(%x : tensor<1000xi32>) outs(%e : tensor<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    memspace.yield %c : i32
  } -> tensor<1000xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}

// -----

// In place, from an argument, with a constant beside it; what the launch of the whole has of
// its arguments is not true of the parts. Columns: threads that follow each other have other rows.
// CHECK-LABEL: func.func @columns_totals(
// CHECK-SAME: attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 3, 1, 1>, kept}
// CHECK-LABEL: func.func @columns_offsets(
// CHECK-SAME: %{{.*}}: memref<3x24xi32>, %{{.*}}: memref<3x24xf32>, %[[I:.*]]: i32)
// CHECK: %[[C:.*]] = arith.constant 2.0
// CHECK: memspace.scan dimension(1) ins({{.*}}) initial(%[[I]], %[[C]] : i32, f32)
// CHECK-LABEL: func.func @columns_chunks(
// CHECK-SAME: %[[X:.*]]: memref<200x3xi32>, %[[Y:.*]]: memref<200x3xf32>, %{{.*}}: memref<3x24xi32>, %{{.*}}: memref<3x24xf32>, %[[I:.*]]: i32)
// CHECK: %[[C:.*]] = arith.constant 2.0
// CHECK: scf.if
// CHECK: else
// CHECK-NEXT: scf.yield %[[I]], %[[C]]
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: memref.store %[[A]], %[[X]]
// CHECK: memref.store %[[B]], %[[Y]]
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[X:.*]]: memref<200x3xi32>, %[[I:.*]]: i32, %[[N:.*]]: index, %[[Y:.*]]: memref<200x3xf32>) attributes {kept} {
// CHECK: call @columns_chunks(%[[X]], %[[Y]], %{{.*}}, %{{.*}}, %[[I]])
func.func @columns(%x: memref<200x3xi32>, %i: i32, %n: index, %y: memref<200x3xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>, kept,
                memspace.grid_size = [affine_map<()[s0] -> (s0)>], memspace.grid_symbols = array<i64: 2, -1>} {
  %c = arith.constant 2.0 : f32
  memspace.scan dimension(0) exclusive reverse ins(%x, %y : memref<200x3xi32>, memref<200x3xf32>)
      initial(%i, %c : i32, f32) outs(%x, %y : memref<200x3xi32>, memref<200x3xf32>) {
  ^bb0(%a: i32, %p: f32, %b: i32, %q: f32):
    %s = arith.addi %a, %b : i32
    %t = arith.mulf %p, %q : f32
    memspace.yield %s, %t : i32, f32
  }
  return
}

// -----

// A vector is an element, too, not an operand.
// CHECK-LABEL: func.func @vectors_offsets(
// CHECK: memspace.scan dimension(1) ins({{.*}}) initial(%{{.*}} : vector<2xf32>)
func.func @vectors(%x: memref<1000xvector<2xf32>>, %y: memref<1000xvector<2xf32>>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c = arith.constant dense<1.0> : vector<2xf32>
  memspace.scan dimension(0) ins(%x : memref<1000xvector<2xf32>>) initial(%c : vector<2xf32>) outs(%y : memref<1000xvector<2xf32>>) {
  ^bb0(%a: vector<2xf32>, %b: vector<2xf32>):
    %s = arith.addf %a, %b : vector<2xf32>
    memspace.yield %s : vector<2xf32>
  }
  return
}

// -----

// Few elements for each thread, extents that are not static, rows that one thread each has:
// one workgroup scans them.
// CHECK-LABEL: func.func @few(
// CHECK: memspace.scan
// CHECK-NOT: call
func.func @few(%x: memref<255xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memspace.scan dimension(0) ins(%x : memref<255xi32>) outs(%x : memref<255xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    memspace.yield %s : i32
  }
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: memspace.scan
// CHECK-NOT: call
func.func @dynamic(%x: memref<?xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memspace.scan dimension(0) ins(%x : memref<?xi32>) outs(%x : memref<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    memspace.yield %s : i32
  }
  return
}

// CHECK-LABEL: func.func @many_rows(
// CHECK: memspace.scan
// CHECK-NOT: call
func.func @many_rows(%x: memref<4096x4xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memspace.scan dimension(1) ins(%x : memref<4096x4xi32>) outs(%x : memref<4096x4xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    memspace.yield %s : i32
  }
  return
}
