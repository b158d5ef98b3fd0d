// RUN: memspace-opt %s -split-input-file -memspace-distribute-to-threads=chip=gfx942 | FileCheck %s

// An op with a region that writes memory by itself is one thread's, as a store is.

// CHECK-LABEL: func @generic_atomic
// CHECK:         scf.forall (%{{.*}}) in (1) {
// CHECK-NEXT:      memref.generic_atomic_rmw
// CHECK:         } {mapping = [#gpu.thread<linear_dim_0>]}
func.func @generic_atomic(%x: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %0 = memref.generic_atomic_rmw %x[%c0] : memref<4xi32> {
  ^bb0(%old: i32):
    %one = arith.constant 1 : i32
    %new = arith.addi %old, %one : i32
    memref.atomic_yield %new : i32
  }
  return
}

// CHECK-LABEL: func @linalg_on_memrefs
// CHECK:         scf.forall (%{{.*}}) in (1) {
// CHECK-NEXT:      linalg.generic
// CHECK:         } {mapping = [#gpu.thread<linear_dim_0>]}
func.func @linalg_on_memrefs(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<64xi32>) {
  ^bb0(%a: i32):
    %one = arith.constant 1 : i32
    %b = arith.addi %a, %one : i32
    linalg.yield %b : i32
  }
  return
}

// CHECK-LABEL: func @of_a_subgroup
// CHECK:         scf.forall (%{{.*}}) in (2) {
// CHECK:           scf.forall (%{{.*}}) in (1) {
// CHECK-NEXT:        memref.generic_atomic_rmw
// CHECK:           } {mapping = [#gpu.lane<linear_dim_0>]}
func.func @of_a_subgroup(%x: memref<2xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  scf.forall (%w) in (2) {
    %0 = memref.generic_atomic_rmw %x[%w] : memref<2xi32> {
    ^bb0(%old: i32):
      %one = arith.constant 1 : i32
      %new = arith.addi %old, %one : i32
      memref.atomic_yield %new : i32
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}

// -----

// What each thread has on its stack each of them writes; not so memory that threads share.

// CHECK-LABEL: func @own
// CHECK:         memref.alloca
// CHECK-NOT:     scf.forall
// CHECK:         memref.store
// CHECK-NEXT:    linalg.fill
// CHECK:         scf.forall (%{{.*}}) in (64)
func.func @own(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %own = memref.alloca() : memref<4xi32>
  %view = memref.subview %own[1] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1], offset: 1>>
  memref.store %one, %own[%c0] : memref<4xi32>
  linalg.fill ins(%one : i32) outs(%view : memref<3xi32, strided<[1], offset: 1>>)
  scf.forall (%t) in (64) {
    %v = memref.load %own[%c0] : memref<4xi32>
    memref.store %v, %x[%t] : memref<64xi32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func @shared_stack
// CHECK:         scf.forall (%{{.*}}) in (1) {
// CHECK-NEXT:      memref.store
func.func @shared_stack(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %m = memref.alloca() : memref<1xi32, #gpu.address_space<workgroup>>
  memref.store %one, %m[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  scf.forall (%t) in (64) {
    %v = memref.load %m[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    memref.store %v, %x[%t] : memref<64xi32>
  } {mapping = [#gpu.thread<x>]}
  return
}
