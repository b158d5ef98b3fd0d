// Barriers in foralls of workgroups that stay on memrefs, then the foralls become ids
// and loops: the emulator finds no race, whatever the grid.

// RUN: memspace-test-opt %s -memspace-pack-workgroup-memory=chip=sm_90 -memspace-insert-barriers=chip=sm_90 -memspace-verify-barriers=chip=sm_90 -memspace-map-to-threads=chip=sm_90 -o %t.mlir
// RUN: memspace-runner %t.mlir --kernel=once --arg=0:iota | FileCheck %s
// RUN: memspace-runner %t.mlir --kernel=twice --arg=0:iota | FileCheck %s
// RUN: memspace-runner %t.mlir --kernel=perhaps_none --arg=0:iota | FileCheck %s
// RUN: memspace-runner %t.mlir --kernel=to_the_next --arg=0:iota --out=1:%t.npy | FileCheck %s
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '(i // 128 % 2 + 2) * 128 + 127 - i % 128'

// CHECK: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0
#wg = #gpu.address_space<workgroup>
func.func @once(%x: memref<512xi32>, %y: memref<512xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  scf.forall (%b) = (0) to (512) step (128) {
    %m = memref.alloc() : memref<128xi32, #wg>
    %i = arith.addi %b, %t : index
    %v = memref.load %x[%i] : memref<512xi32>
    memref.store %v, %m[%t] : memref<128xi32, #wg>
    %w = memref.load %m[%r] : memref<128xi32, #wg>
    memref.store %w, %y[%i] : memref<512xi32>
  } {mapping = [#door.group<0>]}
  return
}

// A table that every iteration reads, and a buffer that each of them writes again.
func.func @twice(%x: memref<512xi32>, %y: memref<512xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %table = memref.alloc() : memref<128xi32, #wg>
  %m = memref.alloc() : memref<128xi32, #wg>
  %first = memref.load %x[%t] : memref<512xi32>
  memref.store %first, %table[%t] : memref<128xi32, #wg>
  scf.forall (%b) = (0) to (512) step (128) {
    %i = arith.addi %b, %t : index
    %v = memref.load %table[%r] : memref<128xi32, #wg>
    memref.store %v, %m[%t] : memref<128xi32, #wg>
    %w = memref.load %m[%r] : memref<128xi32, #wg>
    memref.store %w, %y[%i] : memref<512xi32>
  } {mapping = [#gpu.block<x>]}
  return
}

// Of four workgroups one has no iteration.
func.func @perhaps_none(%x: memref<512xi32>, %y: memref<512xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %id = gpu.block_id x
  %before = arith.muli %id, %c128 : index
  %own = arith.addi %before, %t : index
  %m = memref.alloc() : memref<128xi32, #wg>
  %n = memref.alloc() : memref<128xi32, #wg>
  %first = memref.load %x[%own] : memref<512xi32>
  memref.store %first, %m[%t] : memref<128xi32, #wg>
  memref.store %first, %n[%t] : memref<128xi32, #wg>
  scf.forall (%b) in (3) {
    %v = memref.load %m[%r] : memref<128xi32, #wg>
    memref.store %v, %n[%r] : memref<128xi32, #wg>
  } {mapping = [#gpu.block<x>]}
  %w = memref.load %n[%t] : memref<128xi32, #wg>
  memref.store %w, %y[%own] : memref<512xi32>
  return
}

// What the last iteration of a workgroup has written is read behind the forall.
func.func @to_the_next(%x: memref<512xi32>, %y: memref<512xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<128xi32, #wg>
  scf.forall (%b) = (0) to (512) step (128) {
    %i = arith.addi %b, %t : index
    %v = memref.load %x[%i] : memref<512xi32>
    memref.store %v, %m[%t] : memref<128xi32, #wg>
  } {mapping = [#gpu.block<x>]}
  scf.forall (%b) = (0) to (512) step (128) {
    %i = arith.addi %b, %t : index
    %v = memref.load %m[%r] : memref<128xi32, #wg>
    memref.store %v, %y[%i] : memref<512xi32>
  } {mapping = [#gpu.block<x>]}
  return
}
