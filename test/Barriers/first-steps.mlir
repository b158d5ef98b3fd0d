// A loop behind another one is in its first iteration when it is entered, in
// blocks as in `scf`: what thread 0 does alone in the first step needs no barrier
// after what it has stored itself. The barriers are given, at the ends of steps.
// RUN: memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: FileCheck %s < %t.cf.mlir
// RUN: memspace-runner %s --chip=gfx942 --kernel=own --arg=0:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=own --arg=0:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: memspace-runner %s --chip=gfx942 --kernel=together --arg=0:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=together --arg=0:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=FIVE
// FIVE: executed barriers: 5, subgroup barriers: 0
// FIVE: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

#wg = #gpu.address_space<workgroup>

// Each thread has a part of the loop before.
// CHECK-LABEL: @own(
// CHECK:         memref.load
// CHECK:         gpu.barrier
// CHECK-NOT:     gpu.barrier
func.func @own(%n: index, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #wg>
  scf.for %i = %x to %c256 step %c128 {
    memref.store %f, %s[%i] : memref<256xf32, #wg>
  }
  %is = arith.cmpi eq, %x, %c0 : index
  scf.for %k = %c0 to %n step %c1 {
    scf.if %is {
      %v = memref.load %s[%k] : memref<256xf32, #wg>
      memref.store %v, %out[%k] : memref<128xf32>
    }
    gpu.barrier
  }
  return
}

// All do the loop before together.
// CHECK-LABEL: @together(
// CHECK:         memref.load
// CHECK:         gpu.barrier
// CHECK-NOT:     gpu.barrier
func.func @together(%n: index, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #wg>
  scf.for %i = %c0 to %c256 step %c128 {
    %p = arith.addi %i, %x : index
    memref.store %f, %s[%p] : memref<256xf32, #wg>
  }
  %is = arith.cmpi eq, %x, %c0 : index
  scf.for %k = %c0 to %n step %c1 {
    scf.if %is {
      %v = memref.load %s[%k] : memref<256xf32, #wg>
      memref.store %v, %out[%k] : memref<128xf32>
    }
    gpu.barrier
  }
  return
}
