// Slots of a ring by the counter of a loop in another one: what is known of the iterations
// of the inner loop is known as well when both are made of branches.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: FileCheck %s --input-file=%t.cf.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers='chip=gfx942 may-hazards=error' -o /dev/null
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers='chip=gfx942 may-hazards=error' -o /dev/null
//
// Argument 0 decides when the loops end.
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=from_outer --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:900 --arg=3:fill:5 --verbose | FileCheck %s --check-prefixes=RIGHT,OUTER
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=from_outer --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:900 --arg=3:fill:5 --verbose | FileCheck %s --check-prefixes=RIGHT,OUTER
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=left_behind --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:900 --arg=3:fill:5 --verbose | FileCheck %s --check-prefix=RIGHT
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=left_behind --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:900 --arg=3:fill:5 --verbose | FileCheck %s --check-prefix=RIGHT
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=parted_inside --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:900 --arg=3:fill:5 --verbose | FileCheck %s --check-prefix=RIGHT
// OUTER: executed barriers: 35,
// RIGHT: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// The ring begins with the slot that the outer loop says. One barrier an iteration, and
// one before the next ring begins anew.
// CHECK-LABEL: func.func @from_outer
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK-LABEL: func.func @left_behind
func.func @from_outer(%x: memref<64x128xf32>, %y: memref<128xf32>, %limit: f32, %n: index)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %other = arith.xori %t, %c127 : index
  %ring = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
  scf.for %k = %c0 to %n step %c1 {
    %r = scf.while (%i = %k) : (index) -> index {
      %flag = memref.load %x[%i, %c0] : memref<64x128xf32>
      %goes = arith.cmpf olt, %flag, %limit : f32
      scf.condition(%goes) %i : index
    } do {
    ^bb0(%i: index):
      %slot = arith.remui %i, %c3 : index
      %v = memref.load %x[%i, %t] : memref<64x128xf32>
      memref.store %v, %ring[%slot, %t] : memref<3x128xf32, #gpu.address_space<workgroup>>
      %w = memref.load %ring[%slot, %other] : memref<3x128xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%t] : memref<128xf32>
      %j = arith.addi %i, %c1 : index
      scf.yield %j : index
    }
  }
  return
}

// What was stored in the last iteration is read behind the loop, in an unknown slot.
func.func @left_behind(%x: memref<64x128xf32>, %y: memref<128xf32>, %limit: f32, %n: index)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %other = arith.xori %t, %c127 : index
  %ring = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
  memref.store %zero, %ring[%c0, %t] : memref<3x128xf32, #gpu.address_space<workgroup>>
  scf.for %k = %c0 to %n step %c1 {
    %last = scf.while (%i = %k) : (index) -> index {
      %slot = arith.remui %i, %c3 : index
      memref.store %zero, %ring[%slot, %t] : memref<3x128xf32, #gpu.address_space<workgroup>>
      %flag = memref.load %x[%i, %c0] : memref<64x128xf32>
      %goes = arith.cmpf olt, %flag, %limit : f32
      scf.condition(%goes) %i : index
    } do {
    ^bb0(%i: index):
      %j = arith.addi %i, %c1 : index
      scf.yield %j : index
    }
    %slot = arith.remui %last, %c3 : index
    %w = memref.load %ring[%slot, %other] : memref<3x128xf32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%t] : memref<128xf32>
  }
  return
}

// Some threads skip the inner loop's store: they come together in the same iteration.
// CHECK-LABEL: func.func @parted_inside
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @parted_inside(%x: memref<64x128xf32>, %y: memref<128xf32>, %limit: f32, %n: index)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c64 : index
  %other = arith.xori %t, %c127 : index
  %zero = arith.constant 0.0 : f32
  %ring = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
  memref.store %zero, %ring[%c0, %t] : memref<3x128xf32, #gpu.address_space<workgroup>>
  memref.store %zero, %ring[%c1, %t] : memref<3x128xf32, #gpu.address_space<workgroup>>
  %c2 = arith.constant 2 : index
  memref.store %zero, %ring[%c2, %t] : memref<3x128xf32, #gpu.address_space<workgroup>>
  scf.for %k = %c0 to %n step %c1 {
    %r = scf.while (%i = %k) : (index) -> index {
      %flag = memref.load %x[%i, %c0] : memref<64x128xf32>
      %goes = arith.cmpf olt, %flag, %limit : f32
      scf.condition(%goes) %i : index
    } do {
    ^bb0(%i: index):
      %slot = arith.remui %i, %c3 : index
      scf.if %low {
        %v = memref.load %x[%i, %t] : memref<64x128xf32>
        memref.store %v, %ring[%slot, %t] : memref<3x128xf32, #gpu.address_space<workgroup>>
      }
      %w = memref.load %ring[%slot, %other] : memref<3x128xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%t] : memref<128xf32>
      %j = arith.addi %i, %c1 : index
      scf.yield %j : index
    }
  }
  return
}
