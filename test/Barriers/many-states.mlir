// Nests whose iterations are too many to be told apart. What is left out is what
// does not matter: counters, one by one; of a carried number all but the bits that
// choose the slot, in all that it is passed to; what a loop began with, once it
// has begun. What is placed by that is verified by that, as blocks, too.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: FileCheck %s < %t.cf.mlir
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=wrapping --verbose 2>&1 | FileCheck %s --check-prefix=WRAPPING
// WRAPPING: executed barriers: 12100,
// WRAPPING: races: 0
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=many_iterations --verbose 2>&1 | FileCheck %s --check-prefix=MANY-ITERATIONS
// MANY-ITERATIONS: executed barriers: 10000,
// MANY-ITERATIONS: races: 0
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=unknown_inner --arg=1:fill:7 --verbose 2>&1 | FileCheck %s --check-prefix=UNKNOWN-INNER
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=unknown_inner --arg=1:fill:7 --verbose 2>&1 | FileCheck %s --check-prefix=UNKNOWN-INNER
// UNKNOWN-INNER: executed barriers: 35,
// UNKNOWN-INNER: races: 0
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=two_of_four_slots --arg=1:fill:7 --verbose 2>&1 | FileCheck %s --check-prefix=TWO-OF-FOUR-SLOTS
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=two_of_four_slots --arg=1:fill:7 --verbose 2>&1 | FileCheck %s --check-prefix=TWO-OF-FOUR-SLOTS
// TWO-OF-FOUR-SLOTS: executed barriers: 21,
// TWO-OF-FOUR-SLOTS: races: 0
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=three_in_each_other --arg=1:fill:7 --verbose 2>&1 | FileCheck %s --check-prefix=THREE-IN-EACH-OTHER
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=three_in_each_other --arg=1:fill:7 --verbose 2>&1 | FileCheck %s --check-prefix=THREE-IN-EACH-OTHER
// THREE-IN-EACH-OTHER: executed barriers: 595,
// THREE-IN-EACH-OTHER: races: 0

!shared = memref<8x128xf32, #gpu.address_space<workgroup>>

// 110 times 110 iterations, of which the number in i8 goes on.
// CHECK-LABEL: func.func @wrapping
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @wrapping(%out: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c3 = arith.constant 3 : i8
  %c7 = arith.constant 7 : i8
  %c110 = arith.constant 110 : i8
  %last = arith.constant 127 : index
  %z = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %r = arith.subi %last, %t : index
  %a = memref.alloc() : !shared
  %r0 = scf.for %i0 = %c0 to %c110 step %c1 iter_args(%s0 = %c1) -> i8 : i8 {
    %r1 = scf.for %i1 = %c0 to %c110 step %c1 iter_args(%s1 = %s0) -> i8 : i8 {
      %m = arith.andi %s1, %c1 : i8
      %x = arith.index_castui %m : i8 to index
      memref.store %z, %a[%x, %t] : !shared
      %v = memref.load %a[%x, %r] : !shared
      memref.store %v, %out[%t] : memref<128xf32>
      %p = arith.muli %s1, %c3 : i8
      %q = arith.addi %p, %c7 : i8
      scf.yield %q : i8
    }
    scf.yield %r1 : i8
  }
  return
}

// 100 times 100 in i32, whose number does not come back.
// CHECK-LABEL: func.func @many_iterations
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @many_iterations(%out: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c7 = arith.constant 7 : i32
  %c100 = arith.constant 100 : i32
  %last = arith.constant 127 : index
  %z = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %r = arith.subi %last, %t : index
  %a = memref.alloc() : !shared
  %r0 = scf.for %i0 = %c0 to %c100 step %c1 iter_args(%s0 = %c1) -> i32 : i32 {
    %r1 = scf.for %i1 = %c0 to %c100 step %c1 iter_args(%s1 = %s0) -> i32 : i32 {
      %m = arith.andi %s1, %c1 : i32
      %x = arith.index_castui %m : i32 to index
      memref.store %z, %a[%x, %t] : !shared
      %v = memref.load %a[%x, %r] : !shared
      memref.store %v, %out[%t] : memref<128xf32>
      %p = arith.muli %s1, %c3 : i32
      %q = arith.addi %p, %c7 : i32
      scf.yield %q : i32
    }
    scf.yield %r1 : i32
  }
  return
}

// How often the inner loop runs is not known.
// CHECK-LABEL: func.func @unknown_inner
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @unknown_inner(%out: memref<128xf32>, %n: i16) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i16
  %c1 = arith.constant 1 : i16
  %c5 = arith.constant 5 : i16
  %last = arith.constant 127 : index
  %z = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %r = arith.subi %last, %t : index
  %a = memref.alloc() : !shared
  %r0 = scf.for %i0 = %c0 to %c5 step %c1 iter_args(%s0 = %c1) -> i16 : i16 {
    %r1 = scf.for %i1 = %c0 to %n step %c1 iter_args(%s1 = %s0) -> i16 : i16 {
      %m = arith.andi %s1, %c1 : i16
      %x = arith.index_castui %m : i16 to index
      memref.store %z, %a[%x, %t] : !shared
      %v = memref.load %a[%x, %r] : !shared
      memref.store %v, %out[%t] : memref<128xf32>
      %q = arith.addi %s1, %c1 : i16
      scf.yield %q : i16
    }
    scf.yield %r1 : i16
  }
  return
}

// Of four slots two are used, by turns.
// CHECK-LABEL: func.func @two_of_four_slots
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @two_of_four_slots(%out: memref<128xf32>, %n: i8) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant 2 : i8
  %c3 = arith.constant 3 : i8
  %last = arith.constant 127 : index
  %z = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %r = arith.subi %last, %t : index
  %a = memref.alloc() : !shared
  %r0 = scf.for %i0 = %c0 to %c3 step %c1 iter_args(%s0 = %c2) -> i8 : i8 {
    %r1 = scf.for %i1 = %c0 to %n step %c1 iter_args(%s1 = %s0) -> i8 : i8 {
      %m = arith.andi %s1, %c3 : i8
      %x = arith.index_castui %m : i8 to index
      memref.store %z, %a[%x, %t] : !shared
      %v = memref.load %a[%x, %r] : !shared
      memref.store %v, %out[%t] : memref<128xf32>
      %p = arith.muli %s1, %c3 : i8
      %q = arith.addi %p, %c2 : i8
      scf.yield %q : i8
    }
    scf.yield %r1 : i8
  }
  return
}

// Eight slots, in steps of three.
// CHECK-LABEL: func.func @three_in_each_other
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @three_in_each_other(%out: memref<128xf32>, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c17 = arith.constant 17 : index
  %last = arith.constant 127 : index
  %z = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %r = arith.subi %last, %t : index
  %a = memref.alloc() : !shared
  %r0 = scf.for %i0 = %c0 to %c17 step %c1 iter_args(%s0 = %c0) -> index {
    %r1 = scf.for %i1 = %c0 to %c5 step %c1 iter_args(%s1 = %s0) -> index {
      %r2 = scf.for %i2 = %c0 to %n step %c1 iter_args(%s2 = %s1) -> index {
        %m = arith.andi %s2, %c7 : index
        memref.store %z, %a[%m, %t] : !shared
        %v = memref.load %a[%m, %r] : !shared
        memref.store %v, %out[%t] : memref<128xf32>
        %q = arith.addi %s2, %c3 : index
        scf.yield %q : index
      }
      scf.yield %r2 : index
    }
    scf.yield %r1 : index
  }
  return
}
