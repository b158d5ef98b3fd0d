// RUN: memspace-opt %s -split-input-file -memspace-distribute-structured-ops=chip=gfx942 -canonicalize | FileCheck %s

// Two ops on one memref, which nothing else accesses: one tensor, stored behind the last.

// CHECK-LABEL: func @chained
// CHECK-SAME:    (%[[A:.*]]: memref<200xi32>, %[[B:.*]]: memref<200xi32>, %[[C:.*]]: memref<200xi32>)
// CHECK-DAG:     %[[TA:.*]] = bufferization.to_tensor %[[A]] restrict : memref
// CHECK-DAG:     %[[TB:.*]] = bufferization.to_tensor %[[B]] restrict writable
// CHECK-DAG:     %[[TC:.*]] = bufferization.to_tensor %[[C]] restrict writable
// CHECK-NOT:     memspace.sort
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable %[[B]]
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable %[[C]]
// CHECK-NOT:     bufferization.materialize_in_destination
func.func @chained(%a: memref<200xi32>, %b: memref<200xi32>, %c: memref<200xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memspace.sort dimension(0) ins(%a : memref<200xi32>) outs(%b : memref<200xi32>) {
  ^bb0(%x: i32, %y: i32):
    %f = arith.cmpi slt, %x, %y : i32
    memspace.yield %f : i1
  }
  memspace.scan dimension(0) ins(%b : memref<200xi32>) outs(%c : memref<200xi32>) {
  ^bb0(%x: i32, %y: i32):
    %f = arith.addi %x, %y : i32
    memspace.yield %f : i32
  }
  return
}

// -----

// The memory is stored to otherwise; the length has no bound; another view of it is read;
// between the two is something that the second one's input may overlap: one thread.

// CHECK-LABEL: func @stored
// CHECK:         scf.forall (%{{.*}}) in (1) {
// CHECK-NEXT:      memspace.sort
// CHECK:         } {mapping = [#gpu.thread<linear_dim_0>]}
func.func @stored(%a: memref<64xi32>, %b: memref<64xi32>, %i: index, %v: i32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memref.store %v, %a[%i] : memref<64xi32>
  memspace.sort dimension(0) ins(%a : memref<64xi32>) outs(%b : memref<64xi32>) {
  ^bb0(%x: i32, %y: i32):
    %f = arith.cmpi slt, %x, %y : i32
    memspace.yield %f : i1
  }
  return
}

// CHECK-LABEL: func @unbounded
// CHECK:         scf.forall (%{{.*}}) in (1) {
// CHECK-NEXT:      memspace.sort
func.func @unbounded(%a: memref<?xi32>, %b: memref<?xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memspace.sort dimension(0) ins(%a : memref<?xi32>) outs(%b : memref<?xi32>) {
  ^bb0(%x: i32, %y: i32):
    %f = arith.cmpi slt, %x, %y : i32
    memspace.yield %f : i1
  }
  return
}

// CHECK-LABEL: func @two_names
// CHECK:         scf.forall (%{{.*}}) in (1) {
// CHECK-NEXT:      memspace.sort
func.func @two_names(%a: memref<2x64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %u = memref.subview %a[0, 0] [1, 64] [1, 1] : memref<2x64xi32> to memref<64xi32, strided<[1]>>
  %v = memref.subview %a[1, 0] [1, 64] [1, 1] : memref<2x64xi32> to memref<64xi32, strided<[1], offset: 64>>
  memspace.sort dimension(0) ins(%u : memref<64xi32, strided<[1]>>) outs(%v : memref<64xi32, strided<[1], offset: 64>>) {
  ^bb0(%x: i32, %y: i32):
    %f = arith.cmpi slt, %x, %y : i32
    memspace.yield %f : i1
  }
  return
}

// CHECK-LABEL: func @may_overlap
// CHECK-COUNT-2: memspace.sort {{.*}} memref
func.func @may_overlap(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<64xi32>, %d: memref<64xi32>, %e: memref<64xi32>, %g: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memspace.sort dimension(0) ins(%a : memref<64xi32>) outs(%b : memref<64xi32>) {
  ^bb0(%x: i32, %y: i32):
    %f = arith.cmpi slt, %x, %y : i32
    memspace.yield %f : i1
  }
  // %e may be where %b is.
  memspace.sort dimension(0) ins(%b, %e : memref<64xi32>, memref<64xi32>) outs(%d, %g : memref<64xi32>, memref<64xi32>) {
  ^bb0(%x: i32, %y: i32, %p: i32, %q: i32):
    %f = arith.cmpi slt, %x, %y : i32
    memspace.yield %f : i1
  }
  return
}

// -----

// What is only read may be loaded elsewhere.

// CHECK-LABEL: func @only_read
// CHECK-NOT:     memspace.topk
func.func @only_read(%a: memref<64xi32>, %b: memref<4xi32>, %n: memref<1xindex>, %out: memref<1xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i = memref.load %n[%c0] : memref<1xindex>
  %v = memref.load %a[%i] : memref<64xi32>
  memref.store %v, %out[%c0] : memref<1xi32>
  memspace.topk dimension(0) ins(%a : memref<64xi32>) values(%b : memref<4xi32>) {
  ^bb0(%x: i32, %y: i32):
    %f = arith.cmpi slt, %x, %y : i32
    memspace.yield %f : i1
  }
  return
}

// -----

// One thread's own, by a forall or by thread ids.

// CHECK-LABEL: func @own
// CHECK:         scf.forall (%{{.*}}) in (64) {
// CHECK-NOT:       forall
// CHECK:           memspace.sort
func.func @own(%a: memref<64x8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  scf.forall (%t) in (64) {
    %u = memref.subview %a[%t, 0] [1, 8] [1, 1] : memref<64x8xi32> to memref<8xi32, strided<[1], offset: ?>>
    memspace.sort dimension(0) ins(%u : memref<8xi32, strided<[1], offset: ?>>) outs(%u : memref<8xi32, strided<[1], offset: ?>>) {
    ^bb0(%x: i32, %y: i32):
      %f = arith.cmpi slt, %x, %y : i32
      memspace.yield %f : i1
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func @ids
// CHECK-NOT:     scf.forall
func.func @ids(%a: memref<64x8xi32>, %u: memref<64x4xi32>, %i: memref<64x4x1xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %ar = memref.subview %a[%t, 0] [1, 8] [1, 1] : memref<64x8xi32> to memref<8xi32, strided<[1], offset: ?>>
  %ur = memref.subview %u[%t, 0] [1, 4] [1, 1] : memref<64x4xi32> to memref<4xi32, strided<[1], offset: ?>>
  %ir = memref.subview %i[%t, 0, 0] [1, 4, 1] [1, 1, 1] : memref<64x4x1xi32> to memref<4x1xi32, strided<[1, 1], offset: ?>>
  // CHECK: memspace.sort
  memspace.sort dimension(0) ins(%ar : memref<8xi32, strided<[1], offset: ?>>) outs(%ar : memref<8xi32, strided<[1], offset: ?>>) {
  ^bb0(%x: i32, %y: i32):
    %f = arith.cmpi slt, %x, %y : i32
    memspace.yield %f : i1
  }
  // CHECK: memspace.scatter
  memspace.scatter scatter_dims([0]) ins(%ur, %ir : memref<4xi32, strided<[1], offset: ?>>, memref<4x1xi32, strided<[1, 1], offset: ?>>)
      outs(%ar : memref<8xi32, strided<[1], offset: ?>>) {
  ^bb0(%x: i32, %y: i32):
    %f = arith.addi %x, %y : i32
    memspace.yield %f : i32
  }
  return
}

// -----

// Memory that each thread has: each of them executes the op.

// CHECK-LABEL: func @of_each_thread
// CHECK-NOT:     scf.forall
// CHECK:         memspace.sort {{.*}} outs(%{{.*}} : memref<8xi32>)
// CHECK-NOT:     scf.forall
// CHECK:         memspace.scatter
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @of_each_thread(%a: memref<8xi32>, %i: memref<8x1xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %own = memref.alloca() : memref<8xi32>
  memspace.sort dimension(0) ins(%a : memref<8xi32>) outs(%own : memref<8xi32>) {
  ^bb0(%x: i32, %y: i32):
    %f = arith.cmpi slt, %x, %y : i32
    memspace.yield %f : i1
  }
  memspace.scatter scatter_dims([0]) ins(%a, %i : memref<8xi32>, memref<8x1xi32>) outs(%own : memref<8xi32>) {
  ^bb0(%x: i32, %y: i32):
    %f = arith.addi %x, %y : i32
    memspace.yield %f : i32
  }
  return
}
