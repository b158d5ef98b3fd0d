// One kernel for each kind of report and refusal.
// RUN: split-file %s %t
// RUN: not memspace-runner %t/across.mlir --grid=2 2>&1 | FileCheck %t/across.mlir
// RUN: not memspace-runner %t/bounds.mlir --arg=0:iota 2>&1 | FileCheck %t/bounds.mlir
// RUN: not memspace-runner %t/two-barriers.mlir 2>&1 | FileCheck %t/two-barriers.mlir
// RUN: not memspace-runner %t/subgroup-divergent.mlir 2>&1 | FileCheck %t/subgroup-divergent.mlir
// RUN: not memspace-runner %t/divergent-barrier.mlir 2>&1 | FileCheck %t/divergent-barrier.mlir
// RUN: not memspace-runner %t/missing-barrier.mlir --arg=0:iota 2>&1 | FileCheck %t/missing-barrier.mlir
// RUN: not memspace-runner %t/malloc.mlir 2>&1 | FileCheck %t/malloc.mlir
// RUN: not memspace-runner %t/forall.mlir 2>&1 | FileCheck %t/forall.mlir
// RUN: not memspace-runner %t/private.mlir --arg=0:iota 2>&1 | FileCheck %t/private.mlir
// RUN: not memspace-runner %t/copies.mlir 2>&1 | FileCheck %t/copies.mlir

//--- across.mlir
// CHECK: :[[#@LINE+4]]:3: error: conflict between workgroups in global memory: workgroup (1, 0, 0) writes byte 0, which workgroup (0, 0, 0) writes; no barrier orders workgroups; both write the same value
func.func @across(%out: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %f = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  memref.store %f, %out[%t] : memref<32xf32>
  return
}

//--- bounds.mlir
// CHECK: error: out of bounds: thread (31, 0, 0) uses index 32 of dimension 0, whose size is 32
func.func @bounds(%x: memref<32xf32>, %out: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %n = arith.addi %t, %c1 : index
  %v = memref.load %x[%n] : memref<32xf32>
  memref.store %v, %out[%t] : memref<32xf32>
  return
}

//--- two-barriers.mlir
// CHECK: error: divergent barrier: thread (0, 0, 0) waits here, but thread (16, 0, 0) waits at another barrier
// CHECK: note: the other thread waits here
func.func @two() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c16 : index
  scf.if %low {

    gpu.barrier
  } else {

    gpu.barrier
  }
  return
}

//--- subgroup-divergent.mlir
// CHECK: error: divergent subgroup op: thread (0, 0, 0) waits here, but thread (16, 0, 0) waits at another barrier
func.func @mixed() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c16 : index
  scf.if %low {
    memspace.subgroup_barrier
  }
  gpu.barrier
  return
}

//--- divergent-barrier.mlir
// CHECK: error: divergent barrier: thread (0, 0, 0) waits here, but thread (32, 0, 0) has returned
func.func @guarded(%x: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c32 : index
  scf.if %low {
    gpu.barrier
  }
  return
}

//--- missing-barrier.mlir
// CHECK: error: data race in workgroup memory: thread (32, 0, 0) writes byte 128, which thread (31, 0, 0) reads, with no barrier between
// CHECK: error: uninitialized read: thread (0, 0, 0) reads byte 252, which nobody has written
// CHECK: races: 1,
func.func @reverse(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : index
  %tile = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xf32>
  // The store that other threads read.


  memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  // No barrier here.
  %r = arith.subi %c63, %t : index
  %w = memref.load %tile[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %w, %out[%t] : memref<64xf32>
  return
}

//--- malloc.mlir
// CHECK: error: 'memref.alloc' in global memory: a GPU kernel cannot allocate there
func.func @malloc() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = memref.alloc() : memref<4xf32>
  return
}

//--- forall.mlir
// CHECK: error: 'scf.forall' is mapped to threads that do not exist yet
func.func @forall() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  scf.forall (%i) in (32) {
  } {mapping = [#gpu.thread<x>]}
  return
}

//--- private.mlir
// CHECK: error: uninitialized read: thread (0, 0, 0) reads byte 0, which nobody has written
func.func @private(%x: memref<8xf16>, %out: memref<8xf16>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %p = memref.alloca() : memref<4xf16, #gpu.address_space<private>>
  %t = gpu.thread_id x
  %v = memref.load %p[%c0] : memref<4xf16, #gpu.address_space<private>>
  memref.store %v, %out[%t] : memref<8xf16>
  return
}

//--- copies.mlir
// CHECK: error: data race in workgroup memory: thread (1, 0, 0) writes byte 0, which thread (0, 0, 0) writes, with no barrier between; both write the same value
// CHECK: error: data race in global memory: thread (1, 0, 0) writes byte 0, which thread (0, 0, 0) writes
// Whole-tile copies and fills by every thread are races.
func.func @copies(%out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32, #gpu.address_space<workgroup>>)
  %v = vector.transfer_read %a[%c0], %f : memref<8xf32, #gpu.address_space<workgroup>>, vector<8xf32>
  vector.transfer_write %v, %out[%c0] : vector<8xf32>, memref<8xf32>
  return
}
