// Arguments in each other's memory. What is written through an argument with
// 'memspace.noalias' must not be accessed through another one.
// RUN: not memspace-runner %s --kernel=add_one --arg=0:iota --alias=0:1 2>&1 | FileCheck %s --check-prefix=IN-PLACE
// RUN: not memspace-runner %s --kernel=add_one --arg=0:iota --alias=1:0 2>&1 | FileCheck %s --check-prefix=UNINITIALIZED
// RUN: memspace-runner %s --kernel=add_one --arg=0:iota | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %s --kernel=add_one_anywhere --arg=0:iota --alias=0:1 --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python -c "import numpy as np; assert (np.load('%t.npy') == np.arange(8) + 1).all()"
// RUN: memspace-runner %s --kernel=sum --arg=0:iota --alias=0:1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %s --kernel=halves --arg=0:iota --alias=0:1:16 2>&1 | FileCheck %s --check-prefix=HALVES
// RUN: memspace-runner %s --kernel=halves --arg=0:iota --alias=0:1:32 --out=0:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python -c "import numpy as np; assert (np.load('%t.npy') == [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3]).all()"
// RUN: not memspace-runner %s --kernel=one_of_two --arg=0:iota --arg=2:fill:1 --alias=0:1 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not memspace-runner %s --kernel=others_write --arg=0:iota --alias=0:1 2>&1 | FileCheck %s --check-prefix=OTHERS
// RUN: not memspace-runner %s --kernel=view_of_bytes --arg=0:iota --alias=0:1 2>&1 | FileCheck %s --check-prefix=VIEW
// RUN: memspace-runner %s --kernel=view_of_bytes --arg=0:iota --alias=0:1:32 | FileCheck %s --check-prefix=CLEAN

// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// IN-PLACE: alias.mlir:[[#@LINE+9]]:3: error: aliasing arguments: thread (0, 0, 0) writes byte 0 of argument 1, which thread (0, 0, 0) reads through argument 0, though both have 'memspace.noalias'; give them memory of their own, or compile the kernel with 'noalias=false' (24 times)
// IN-PLACE: alias.mlir:[[#@LINE+6]]:8: note: the other access is here
// IN-PLACE: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0, aliasing arguments: 1
// UNINITIALIZED: --arg=0:iota: argument 0 lies in the memory of argument 1; give that its contents
func.func @add_one(%x: memref<8xi32> {memspace.noalias}, %out: memref<8xi32> {memspace.noalias}) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %i = gpu.thread_id x
  %one = arith.constant 1 : i32
  %v = memref.load %x[%i] : memref<8xi32>
  %w = arith.addi %v, %one : i32
  memref.store %w, %out[%i] : memref<8xi32>
  return
}

// Nothing is promised of the output.
func.func @add_one_anywhere(%x: memref<8xi32> {memspace.noalias}, %out: memref<8xi32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %i = gpu.thread_id x
  %one = arith.constant 1 : i32
  %v = memref.load %x[%i] : memref<8xi32>
  %w = arith.addi %v, %one : i32
  memref.store %w, %out[%i] : memref<8xi32>
  return
}

// What nobody writes may be read by anybody.
func.func @sum(%x: memref<8xi32> {memspace.noalias}, %y: memref<8xi32> {memspace.noalias}, %out: memref<8xi32> {memspace.noalias}) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %i = gpu.thread_id x
  %v = memref.load %x[%i] : memref<8xi32>
  %w = memref.load %y[%i] : memref<8xi32>
  %s = arith.addi %v, %w : i32
  memref.store %s, %out[%i] : memref<8xi32>
  return
}

// The bytes count, not the memrefs: the first eight elements are read.
// HALVES: alias.mlir:[[#@LINE+8]]:5: error: aliasing arguments: thread (0, 0, 0) writes byte 0 of argument 1, which thread (4, 0, 0) reads through argument 0
func.func @halves(%x: memref<12xi32> {memspace.noalias}, %out: memref<4xi32> {memspace.noalias}) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %i = gpu.thread_id x
  %v = memref.load %x[%i] : memref<12xi32>
  gpu.barrier
  %c4 = arith.constant 4 : index
  %low = arith.cmpi ult, %i, %c4 : index
  scf.if %low {
    memref.store %v, %out[%i] : memref<4xi32>
  }
  return
}

// It is the pointer that counts, however it came there.
// ONE: alias.mlir:[[#@LINE+8]]:3: error: aliasing arguments: thread (0, 0, 0) writes byte 0 of argument 1, which thread (0, 0, 0) reads through argument 0
func.func @one_of_two(%x: memref<8xi32> {memspace.noalias}, %y: memref<8xi32> {memspace.noalias}, %flag: memref<1xi1>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %v = memref.load %x[%i] : memref<8xi32>
  %f = memref.load %flag[%c0] : memref<1xi1>
  %m = arith.select %f, %y, %x : memref<8xi32>
  gpu.barrier
  memref.store %v, %m[%i] : memref<8xi32>
  return
}

// By any thread of any workgroup, at any time.
// OTHERS: alias.mlir:[[#@LINE+10]]:5: error: aliasing arguments: thread (0, 0, 0) of workgroup (1, 0, 0) writes byte 0 of argument 1, which thread (0, 0, 0) of workgroup (0, 0, 0) reads through argument 0
func.func @others_write(%x: memref<8xi32> {memspace.noalias}, %out: memref<8xi32> {memspace.noalias}) attributes {gpu.known_block_size = array<i32: 8, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %i = gpu.thread_id x
  %b = gpu.block_id x
  %first = arith.cmpi eq, %b, %c0 : index
  scf.if %first {
    %v = memref.load %x[%i] : memref<8xi32>
  } else {
    memref.store %one, %out[%i] : memref<8xi32>
  }
  return
}

// Views are of their argument.
// VIEW: alias.mlir:[[#@LINE+7]]:3: error: aliasing arguments: thread (0, 0, 0) writes byte 0 of argument 1, which thread (0, 0, 0) reads through argument 0
func.func @view_of_bytes(%x: memref<64xi8> {memspace.noalias}, %y: memref<32xi8> {memspace.noalias}) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %a = memref.view %x[%c0][] : memref<64xi8> to memref<8xi32>
  %b = memref.view %y[%c0][] : memref<32xi8> to memref<8xi32>
  %v = memref.load %a[%i] : memref<8xi32>
  memref.store %v, %b[%i] : memref<8xi32>
  return
}
