// A forall promises that its iterations do not touch what another writes, also
// where the places are data (forall-promises-invalid.mlir: where that is wrong
// for certain), and where each of two dimensions has more iterations than
// threads.
// RUN: memspace-opt %s -split-input-file -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -split-input-file -memspace-insert-barriers=chip=gfx942 | FileCheck %s

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @scattered
// CHECK-NOT: gpu.barrier
func.func @scattered(%x: memref<64xf32>, %to: memref<64xindex>, %o: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  scf.forall (%t) in (64) {
    %v = memref.load %x[%t] : memref<64xf32>
    %i = memref.load %to[%t] : memref<64xindex>
    memref.store %v, %o[%i] : memref<64xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

!tile = memref<16x32xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @own_tiles
// CHECK-NOT: gpu.barrier
func.func @own_tiles(%x: memref<16x32xf32>, %o: memref<16x32xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 8, 8, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : !tile
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (1, 2) {
    scf.for %k = %c0 to %c2 step %c1 {
      %l = arith.addi %j, %k : index
      %v = memref.load %x[%i, %l] : memref<16x32xf32>
      memref.store %v, %a[%i, %l] : !tile
    }
    scf.for %k = %c0 to %c2 step %c1 {
      %l = arith.addi %j, %k : index
      %v = memref.load %a[%i, %l] : !tile
      memref.store %v, %o[%i, %l] : memref<16x32xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// -----

// A view that a loop carries is another one in each thread: one index of it is
// no certain place.

// CHECK-LABEL: func.func @carried_views
// CHECK-NOT: gpu.barrier
func.func @carried_views(%o: memref<2xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 2, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (2) {
    %own = memref.subview %o[%t] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: ?>>
    %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%v = %own) -> (memref<1xf32, strided<[1], offset: ?>>) {
      memref.store %zero, %v[%i] : memref<1xf32, strided<[1], offset: ?>>
      scf.yield %v : memref<1xf32, strided<[1], offset: ?>>
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
