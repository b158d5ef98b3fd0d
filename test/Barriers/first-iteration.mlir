// How often the branches of a guard on the number of an iteration are taken, where
// the loop is long or of unknown length: a barrier stands where it is executed
// once. What such a guard lets through in the first iteration alone, the verifier
// knows of loops of blocks, too.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t.scf.mlir -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: FileCheck %s --check-prefix=CHECK-CF < %t.cf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=unknown_length --arg=0:fill:6 --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=unknown_length --arg=0:fill:6 --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=hundred --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=hundred --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=last --arg=0:fill:6 --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=last --arg=0:fill:6 --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=few --arg=0:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=few --arg=0:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=guarded_barrier --arg=0:fill:6 --verbose 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=flag --arg=0:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=flag --arg=0:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=reversed --arg=0:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=reversed --arg=0:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=either --arg=0:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=EITHER
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=either --arg=0:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=EITHER
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=fourth --arg=0:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=FOURTH
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=fourth --arg=0:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=FOURTH
// ONCE: executed barriers: 1, subgroup barriers: 0
// FEW: executed barriers: 2, subgroup barriers: 0
// EITHER: executed barriers: 4, subgroup barriers: 0
// FOURTH: executed barriers: 6, subgroup barriers: 0
// GIVEN: executed barriers: 10, subgroup barriers: 0

#wg = #gpu.address_space<workgroup>

// The first iteration stores what all others load.
// CHECK-LABEL: @unknown_length(
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.load %
// CHECK-NOT:     gpu.barrier
// CHECK:         } else {
// CHECK:         memref.store %
// CHECK-NEXT:    gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         return
// CHECK-CF-LABEL: @unknown_length(
// CHECK-CF-COUNT-1: gpu.barrier
// CHECK-CF-NOT: gpu.barrier
func.func @unknown_length(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  scf.for %i = %c0 to %n step %c1 {
    %later = arith.cmpi ne, %i, %c0 : index
    scf.if %later {
      %v = memref.load %b[%r] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<64xf32>
    } else {
      memref.store %f, %b[%t] : memref<64xf32, #wg>
    }
  }
  return
}

// The same in a loop that is too long to be executed; it begins with 5.
// CHECK-LABEL: @hundred(
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.load %
// CHECK-NOT:     gpu.barrier
// CHECK:         } else {
// CHECK:         memref.store %
// CHECK-NEXT:    gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         return
// CHECK-CF-LABEL: @hundred(
// CHECK-CF-COUNT-1: gpu.barrier
// CHECK-CF-NOT: gpu.barrier
func.func @hundred(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c63 = arith.constant 63 : index
  %c105 = arith.constant 105 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  scf.for %i = %c5 to %c105 step %c1 {
    %later = arith.cmpi ugt, %i, %c5 : index
    scf.if %later {
      %v = memref.load %b[%r] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<64xf32>
    } else {
      memref.store %f, %b[%t] : memref<64xf32, #wg>
    }
  }
  return
}

// The last iteration loads what all others store.
// CHECK-LABEL: @last(
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.store %
// CHECK-NOT:     gpu.barrier
// CHECK:         } else {
// CHECK-NEXT:    gpu.barrier
// CHECK:         memref.load %
// CHECK-NOT:     gpu.barrier
// CHECK:         return
// CHECK-CF-LABEL: @last(
// CHECK-CF-COUNT-1: gpu.barrier
// CHECK-CF-NOT: gpu.barrier
func.func @last(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  scf.for %i = %c0 to %n step %c1 {
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %next, %n : index
    scf.if %more {
      memref.store %f, %b[%t] : memref<64xf32, #wg>
    } else {
      %v = memref.load %b[%r] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<64xf32>
    }
  }
  return
}

// Two iterations store, so that there are two barriers.
// CHECK-LABEL: @few(
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.store %
// CHECK:         gpu.barrier
// CHECK-NEXT:    } else {
// CHECK-NOT:     gpu.barrier
// CHECK:         return
// CHECK-CF-LABEL: @few(
// CHECK-CF-COUNT-1: gpu.barrier
// CHECK-CF-NOT: gpu.barrier
func.func @few(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  scf.for %i = %c0 to %n step %c1 {
    %stores = arith.cmpi slt, %i, %c2 : index
    scf.if %stores {
      memref.store %f, %b[%t] : memref<64xf32, #wg>
    } else {
      %v = memref.load %b[%r] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<64xf32>
    }
  }
  return
}

// What is there before the loop nobody has written: the barrier in the guard is
// executed wherever there is something to wait for.
// CHECK-LABEL: @guarded_barrier(
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK-CF-LABEL: @guarded_barrier(
// CHECK-CF-COUNT-2: gpu.barrier
// CHECK-CF-NOT: gpu.barrier
func.func @guarded_barrier(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  scf.for %i = %c0 to %n step %c1 {
    %later = arith.cmpi sgt, %i, %c0 : index
    scf.if %later {
      gpu.barrier
      %v = memref.load %b[%r] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<64xf32>
      gpu.barrier
    }
    memref.store %f, %b[%t] : memref<64xf32, #wg>
  }
  return
}

// A flag that only the first iteration has.
// CHECK-LABEL: @flag(
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.store %
// CHECK:         gpu.barrier
// CHECK-NEXT:    } else {
// CHECK-NOT:     gpu.barrier
// CHECK:         return
// CHECK-CF-LABEL: @flag(
// CHECK-CF-COUNT-1: gpu.barrier
// CHECK-CF-NOT: gpu.barrier
func.func @flag(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  %left = scf.for %i = %c0 to %n step %c1 iter_args(%first = %true) -> (i1) {
    scf.if %first {
      memref.store %f, %b[%t] : memref<64xf32, #wg>
    } else {
      %v = memref.load %b[%r] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<64xf32>
    }
    scf.yield %false : i1
  }
  return
}

// Of a while loop, the number on the other side, and the condition reversed.
// CHECK-LABEL: @reversed(
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.load %
// CHECK-NOT:     gpu.barrier
// CHECK:         } else {
// CHECK:         memref.store %
// CHECK-NEXT:    gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         return
// CHECK-CF-LABEL: @reversed(
// CHECK-CF-COUNT-1: gpu.barrier
// CHECK-CF-NOT: gpu.barrier
func.func @reversed(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %true = arith.constant true
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  %end = scf.while (%k = %c0) : (index) -> index {
    %more = arith.cmpi slt, %k, %n : index
    scf.condition(%more) %k : index
  } do {
  ^bb0(%i: index):
    %first = arith.cmpi sge, %c0, %i : index
    %later = arith.xori %first, %true : i1
    scf.if %later {
      %v = memref.load %b[%r] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<64xf32>
    } else {
      memref.store %f, %b[%t] : memref<64xf32, #wg>
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// The first two, by two conditions.
// CHECK-LABEL: @either(
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK-CF-LABEL: @either(
// CHECK-CF-COUNT-2: gpu.barrier
// CHECK-CF-NOT: gpu.barrier
func.func @either(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  scf.for %i = %c0 to %n step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    %second = arith.cmpi eq, %i, %c1 : index
    %either = arith.ori %first, %second : i1
    scf.if %either {
      memref.store %f, %b[%t] : memref<64xf32, #wg>
    } else {
      %v = memref.load %b[%r] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<64xf32>
    }
  }
  return
}

// Every fourth stores: two barriers for each, in blocks as well.
// CHECK-LABEL: @fourth(
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.load %
// CHECK-NOT:     gpu.barrier
// CHECK:         } else {
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.store %
// CHECK-NEXT:    gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         return
// CHECK-CF-LABEL: @fourth(
// CHECK-CF-COUNT-2: gpu.barrier
// CHECK-CF-NOT: gpu.barrier
func.func @fourth(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  scf.for %i = %c0 to %n step %c1 {
    %m = arith.andi %i, %c3 : index
    %loads = arith.cmpi ne, %m, %c0 : index
    scf.if %loads {
      %v = memref.load %b[%r] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<64xf32>
    } else {
      memref.store %f, %b[%t] : memref<64xf32, #wg>
    }
  }
  return
}
