// Loops inside of code that not all threads enter, or that threads leave one by
// one: all are in one iteration of the loops around. Elimination of columns, of
// rows, and LU: one barrier in each step, in blocks as in `scf`.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t.scf.mlir -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: FileCheck %s --check-prefix=CHECK-CF < %t.cf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=columns --arg=0:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=columns --arg=0:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=rows --arg=0:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=rows --arg=0:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=lu --arg=0:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=lu --arg=0:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=FIVE
// FIVE: executed barriers: 5, subgroup barriers: 0
// FIVE: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

#wg = #gpu.address_space<workgroup>

// Thread t has column t; those behind the step are updated with it.
// CHECK-LABEL: @columns(
// CHECK:         scf.for
// CHECK:           gpu.barrier
// CHECK:           scf.if
// CHECK-NOT:     gpu.barrier
// CHECK-CF-LABEL: @columns(
// CHECK-CF:         gpu.barrier
// CHECK-CF:         memref.load
// CHECK-CF-NOT:     gpu.barrier
func.func @columns(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<16x128xf32, #wg>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %f, %s[%i, %x] : memref<16x128xf32, #wg>
  }
  scf.for %k = %c0 to %n step %c1 {
    %g = arith.cmpi sgt, %x, %k : index
    scf.if %g {
      scf.for %i = %c0 to %c16 step %c1 {
        %v = memref.load %s[%i, %k] : memref<16x128xf32, #wg>
        memref.store %v, %s[%i, %x] : memref<16x128xf32, #wg>
      }
    }
  }
  return
}

// Thread t has the rows t + k, 128 apart.
// CHECK-LABEL: @rows(
// CHECK:         scf.for
// CHECK:           gpu.barrier
// CHECK:           scf.for
// CHECK-NOT:     gpu.barrier
// CHECK-CF-LABEL: @rows(
// CHECK-CF:         gpu.barrier
// CHECK-CF:         memref.load
// CHECK-CF-NOT:     gpu.barrier
func.func @rows(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256x16xf32, #wg>
  scf.for %i = %x to %c256 step %c128 {
    scf.for %j = %c0 to %c16 step %c1 {
      memref.store %f, %s[%i, %j] : memref<256x16xf32, #wg>
    }
  }
  scf.for %k = %c0 to %n step %c1 {
    %first = arith.addi %x, %k : index
    %begin = arith.addi %first, %c1 : index
    scf.for %i = %begin to %c256 step %c128 {
      scf.for %j = %c0 to %c16 step %c1 {
        %v = memref.load %s[%k, %j] : memref<256x16xf32, #wg>
        memref.store %v, %s[%i, %j] : memref<256x16xf32, #wg>
      }
    }
  }
  return
}

// The two halves of a step: no barrier is needed between them, since threads
// scale the column of rows that are their own.
// CHECK-LABEL: @lu(
// CHECK:         scf.for
// CHECK:           gpu.barrier
// CHECK:           scf.for
// CHECK-NOT:     gpu.barrier
// CHECK-CF-LABEL: @lu(
// CHECK-CF:         gpu.barrier
// CHECK-CF:         memref.load
// CHECK-CF-NOT:     gpu.barrier
func.func @lu(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256x16xf32, #wg>
  scf.for %i = %x to %c256 step %c128 {
    scf.for %j = %c0 to %c16 step %c1 {
      memref.store %f, %s[%i, %j] : memref<256x16xf32, #wg>
    }
  }
  scf.for %k = %c0 to %n step %c1 {
    %first = arith.addi %x, %k : index
    %begin = arith.addi %first, %c1 : index
    scf.for %i = %begin to %c256 step %c128 {
      %v = memref.load %s[%i, %k] : memref<256x16xf32, #wg>
      %d = memref.load %s[%k, %k] : memref<256x16xf32, #wg>
      %m = arith.mulf %v, %d : f32
      memref.store %m, %s[%i, %k] : memref<256x16xf32, #wg>
    }
    scf.for %i = %begin to %c256 step %c128 {
      %next = arith.addi %k, %c1 : index
      scf.for %j = %next to %c16 step %c1 {
        %v = memref.load %s[%i, %j] : memref<256x16xf32, #wg>
        %l = memref.load %s[%i, %k] : memref<256x16xf32, #wg>
        %u = memref.load %s[%k, %j] : memref<256x16xf32, #wg>
        %p = arith.mulf %l, %u : f32
        %d = arith.subf %v, %p : f32
        memref.store %d, %s[%i, %j] : memref<256x16xf32, #wg>
      }
    }
  }
  return
}
