// RUN: memspace-opt %s -split-input-file -memspace-split-large-scans='chip=gfx942 elements-per-thread=4' | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-split-large-scans='chip=gfx942 elements-per-thread=4' | memspace-opt -split-input-file -o /dev/null

// 1000 elements for 64 threads: 4 chunks of 256, of which the last one is shorter and needs no total.
// CHECK-LABEL: func.func @row_totals(
// CHECK-SAME: %[[IN:.*]]: memref<1000xi32>, %[[WS:.*]]: memref<1x3xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>}
// CHECK: scf.forall (%{{.*}}) in (3)
// CHECK:   %[[TOTALS:.*]] = scf.forall (%{{.*}}) in (64)
// CHECK:     scf.for
// CHECK:       tensor.extract
// CHECK-NEXT:  arith.addi
// CHECK:   mapping = [#gpu.thread<x>]
// CHECK:   %[[SCANNED:.*]] = memspace.scan dimension(0) ins(%[[TOTALS]] : tensor<64xi32>)
// CHECK:   tensor.extract_slice %[[SCANNED]][63] [1] [1]
// CHECK: mapping = [#gpu.block<x>]
// CHECK-LABEL: func.func @row_offsets(
// CHECK-SAME: %[[WS:.*]]: memref<1x3xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>}
// CHECK: scf.forall (%{{.*}}) in (1)
// CHECK: memspace.scan dimension(1) ins(%[[ROW:.*]] : tensor<1x3xi32>) outs(%[[ROW]] : tensor<1x3xi32>)
// CHECK: mapping = [#gpu.block<x>]
// CHECK-LABEL: func.func @row_chunks(
// CHECK-SAME: %[[IN:.*]]: memref<1000xi32>, %[[OUT:.*]]: memref<1000xi32>, %[[WS:.*]]: memref<1x3xi32>)
// CHECK: scf.forall (%[[CHUNK:.*]]) in (4)
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: %[[X:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}] [%[[SIZE]]]
// CHECK: scf.if
// CHECK:   %[[BEFORE:.*]] = tensor.extract
// CHECK:   memspace.scan dimension(0) ins(%[[X]] : tensor<?xi32>) initial(%[[BEFORE]] : i32)
// CHECK: else
// CHECK:   memspace.scan dimension(0) ins(%[[X]] : tensor<?xi32>) outs
// CHECK: mapping = [#gpu.block<x>]
// CHECK-LABEL: func.func @row(
// CHECK-SAME: %[[IN:.*]]: memref<1000xi32>, %[[OUT:.*]]: memref<1000xi32>) {
// CHECK: %[[WS:.*]] = memref.alloc() : memref<1x3xi32>
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

// From an initial value, from the end: one scan, from the total of all behind it.
// CHECK: #[[$MAP:.*]] = affine_map<(d0) -> (d0 * -256 + 768)>
// CHECK-LABEL: func.func @from_end_chunks(
// CHECK: scf.forall (%[[CHUNK:.*]]) in (4)
// CHECK: %[[BEGIN:.*]] = affine.apply #[[$MAP]](%[[CHUNK]])
// CHECK: %[[X:.*]] = tensor.extract_slice %{{.*}}[%[[BEGIN]]] [256] [1]
// CHECK: %[[BEFORE:.*]] = scf.if
// CHECK:   tensor.extract
// CHECK: else
// CHECK-NEXT: scf.yield %{{.*}} : i32
// CHECK: memspace.scan dimension(0) exclusive reverse ins(%[[X]] : tensor<256xi32>) initial(%[[BEFORE]] : i32) outs(%[[X]] : tensor<256xi32>)
func.func @from_end(%x: memref<1024xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c = arith.constant 5 : i32
  memspace.scan dimension(0) exclusive reverse ins(%x : memref<1024xi32>) initial(%c : i32) outs(%x : memref<1024xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    memspace.yield %s : i32
  }
  return
}

// -----

// Rows no longer than what the threads of a workgroup read: a thread has a chunk.
// CHECK-LABEL: func.func @short_rows_totals(
// CHECK-SAME: %[[IN:.*]]: memref<5x200xi32>, %[[WS:.*]]: memref<5x49xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>}
// CHECK: memref.store %{{.*}}, %[[WS]][%{{.*}}, %{{.*}}] {memspace.disjoint = array<i64: 0>, memspace.workgroup_disjoint = array<i64: 0>}
// CHECK-LABEL: func.func @short_rows_chunks(
// CHECK: %[[END:.*]] = affine.min
// CHECK: %[[FIRST:.*]] = memref.load %[[IN:.*]][
// CHECK: %[[BEGIN:.*]] = scf.if
// CHECK:   arith.addi %{{.*}}, %[[FIRST]]
// CHECK: else
// CHECK:   scf.yield %[[FIRST]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step %{{.*}} iter_args(%{{.*}} = %[[BEGIN]])
func.func @short_rows(%x: memref<5x200xi32>, %y: memref<5x200xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memspace.scan dimension(1) ins(%x : memref<5x200xi32>) outs(%y : memref<5x200xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    memspace.yield %s : i32
  }
  return
}

// -----

// An input that is another result's output: each thread loads it before it stores there. So
// with a result that nobody uses.
// CHECK-LABEL: func.func @exchanged_totals(
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @exchanged_offsets(
// CHECK-LABEL: func.func @exchanged_chunks(
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @exchanged(
func.func @exchanged(%x: memref<1000xi32>, %y: memref<1000xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict writable : memref<1000xi32> to tensor<1000xi32>
  %yt = bufferization.to_tensor %y restrict writable : memref<1000xi32> to tensor<1000xi32>
  %r:2 = memspace.scan dimension(0) ins(%xt, %yt : tensor<1000xi32>, tensor<1000xi32>) outs(%yt, %xt : tensor<1000xi32>, tensor<1000xi32>) {
  ^bb0(%a: i32, %p: i32, %b: i32, %q: i32):
    %s = arith.addi %a, %b : i32
    %t = arith.muli %p, %q : i32
    memspace.yield %s, %t : i32, i32
  } -> tensor<1000xi32>, tensor<1000xi32>
  bufferization.materialize_in_destination %r#0 in restrict writable %y : (tensor<1000xi32>, memref<1000xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %x : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @unused_totals(
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @unused_offsets(
// CHECK-LABEL: func.func @unused_chunks(
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @unused(
func.func @unused(%x: memref<1000xi32>, %y: memref<1000xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<1000xi32> to tensor<1000xi32>
  %e = tensor.empty() : tensor<1000xi32>
  %r:2 = memspace.scan dimension(0) ins(%t, %t : tensor<1000xi32>, tensor<1000xi32>) outs(%e, %e : tensor<1000xi32>, tensor<1000xi32>) {
  ^bb0(%a: i32, %p: i32, %b: i32, %q: i32):
    %s = arith.addi %a, %b : i32
    %u = arith.muli %p, %q : i32
    memspace.yield %s, %u : i32, i32
  } -> tensor<1000xi32>, tensor<1000xi32>
  bufferization.materialize_in_destination %r#1 in restrict writable %y : (tensor<1000xi32>, memref<1000xi32>) -> ()
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
