// Slots of a ring by a counter of a loop that ends where data says so: an iteration and the
// next one have different slots, whatever the number of slots is.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers='chip=gfx942 may-hazards=error' -o /dev/null
//
// Executed, with and without: argument 0 decides after how many iterations the loops end.
// RUN: not memspace-runner %s --chip=gfx942 --kernel=three_slots --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=down --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 --arg=3:fill:63 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=one_slot --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=three_slots --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 --verbose | FileCheck %s --check-prefixes=RIGHT,EIGHT
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=down --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 --arg=3:fill:63 --verbose | FileCheck %s --check-prefixes=RIGHT,MANY
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=one_slot --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 --verbose | FileCheck %s --check-prefix=RIGHT
//
// The same when the loops are made of branches.
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: FileCheck %s --check-prefix=CF --input-file=%t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers='chip=gfx942 may-hazards=error' -o /dev/null
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=three_slots --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 --verbose | FileCheck %s --check-prefixes=RIGHT,EIGHT
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=down --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 --arg=3:fill:63 --verbose | FileCheck %s --check-prefixes=RIGHT,MANY
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=one_slot --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 --verbose | FileCheck %s --check-prefix=RIGHT
// CF-LABEL: func.func @three_slots
// CF-COUNT-1: gpu.barrier
// CF-NOT: gpu.barrier
// CF-LABEL: func.func @down
// CF-COUNT-1: gpu.barrier
// CF-NOT: gpu.barrier
// CF-LABEL: func.func @one_slot
// CF-COUNT-2: gpu.barrier
// CF-LABEL: func.func @may_stay
// CF-COUNT-2: gpu.barrier
// CF-LABEL: func.func @twice_down
// CF-COUNT-1: gpu.barrier
// CF-NOT: gpu.barrier
// RACE: data race
// EIGHT: executed barriers: 8,
// MANY: executed barriers: 29,
// RIGHT: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// CHECK-LABEL: func.func @three_slots
// CHECK: scf.while
// CHECK-NOT: gpu.barrier
// CHECK: memref.store {{.*}} : memref<3x128xf32
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.load {{.*}} : memref<3x128xf32
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @three_slots(%x: memref<64x128xf32>, %y: memref<128xf32>, %limit: f32)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %other = arith.xori %t, %c127 : index
  %ring = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
  %r:2 = scf.while (%i = %c0, %sum = %zero) : (index, f32) -> (index, f32) {
    %flag = memref.load %x[%i, %c0] : memref<64x128xf32>
    %goes = arith.cmpf olt, %flag, %limit : f32
    scf.condition(%goes) %i, %sum : index, f32
  } do {
  ^bb0(%i: index, %sum: f32):
    %slot = arith.remui %i, %c3 : index
    %v = memref.load %x[%i, %t] : memref<64x128xf32>
    memref.store %v, %ring[%slot, %t] : memref<3x128xf32, #gpu.address_space<workgroup>>
    %w = memref.load %ring[%slot, %other] : memref<3x128xf32, #gpu.address_space<workgroup>>
    %next = arith.addf %sum, %w : f32
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %next : index, f32
  }
  memref.store %r#1, %y[%t] : memref<128xf32>
  return
}

// Counted down, from an argument, in the region of the condition.
// CHECK-LABEL: func.func @down
// CHECK: scf.while
// CHECK: memref.store {{.*}} : memref<5x128xf32
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.load {{.*}} : memref<5x128xf32
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @down(%x: memref<64x128xf32>, %y: memref<64x128xf32>, %limit: f32, %n: index)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %down = arith.constant -2 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %other = arith.xori %t, %c127 : index
  %ring = memref.alloc() : memref<5x128xf32, #gpu.address_space<workgroup>>
  %r = scf.while (%i = %n) : (index) -> index {
    %slot = affine.apply affine_map<(d0) -> (d0 mod 5)>(%i)
    %v = memref.load %x[%i, %t] : memref<64x128xf32>
    memref.store %v, %ring[%slot, %t] : memref<5x128xf32, #gpu.address_space<workgroup>>
    %w = memref.load %ring[%slot, %other] : memref<5x128xf32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%i, %t] : memref<64x128xf32>
    %flag = memref.load %x[%i, %c0] : memref<64x128xf32>
    %goes = arith.cmpf ogt, %flag, %limit : f32
    scf.condition(%goes) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %down : index
    scf.yield %j : index
  }
  return
}

// In steps of three there is one slot only, and a counter that some iterations do not advance
// says nothing.
// CHECK-LABEL: func.func @one_slot
// CHECK: scf.while
// CHECK: gpu.barrier
// CHECK-NEXT: memref.store {{.*}} : memref<3x128xf32
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.load {{.*}} : memref<3x128xf32
func.func @one_slot(%x: memref<64x128xf32>, %y: memref<128xf32>, %limit: f32)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %other = arith.xori %t, %c127 : index
  %ring = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
  %r = scf.while (%i = %c0) : (index) -> index {
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
    %j = arith.addi %i, %c3 : index
    scf.yield %j : index
  }
  return
}

// CHECK-LABEL: func.func @may_stay
// CHECK: scf.while
// CHECK: gpu.barrier
// CHECK-NEXT: memref.store {{.*}} : memref<3x128xf32
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.load {{.*}} : memref<3x128xf32
func.func @may_stay(%x: memref<64x128xf32>, %y: memref<128xf32>, %limit: f32)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %other = arith.xori %t, %c127 : index
  %ring = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
  %r = scf.while (%i = %c0) : (index) -> index {
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
    %bound = memref.load %x[%i, %c1] : memref<64x128xf32>
    %stays = arith.cmpf olt, %bound, %limit : f32
    %step = arith.select %stays, %c0, %c1 : index
    %j = arith.addi %i, %step : index
    scf.yield %j : index
  }
  return
}

// Modulo a power of two an unsigned remainder is the number's, whatever its sign: here it
// counts down in steps of three, from where nobody knows.
// CHECK-LABEL: func.func @twice_down
// CHECK: memref.load {{.*}} : memref<4x128xf32
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @twice_down(%y: memref<128xf32>, %n: index)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %other = arith.xori %t, %c127 : index
  %ring = memref.alloc() : memref<4x128xf32, #gpu.address_space<workgroup>>
  %r = scf.while (%i = %n) : (index) -> index {
    %goes = arith.cmpi sge, %i, %c3 : index
    scf.condition(%goes) %i : index
  } do {
  ^bb0(%i: index):
    %twice = arith.muli %i, %c2 : index
    %slot = arith.remui %twice, %c4 : index
    %v = memref.load %ring[%slot, %other] : memref<4x128xf32, #gpu.address_space<workgroup>>
    memref.store %v, %y[%t] : memref<128xf32>
    memref.store %zero, %ring[%slot, %t] : memref<4x128xf32, #gpu.address_space<workgroup>>
    %j = arith.subi %i, %c3 : index
    scf.yield %j : index
  }
  return
}
