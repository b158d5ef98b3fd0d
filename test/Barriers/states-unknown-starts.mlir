// The first slot is not known, but is one of a few: by a mask, a remainder, a
// choice, a branch. Each is followed.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=mask --arg=0:iota --arg=1:fill:5 --arg=2:fill:7 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=mask --arg=0:iota --arg=1:fill:5 --arg=2:fill:7 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=remainder --arg=0:iota --arg=1:fill:5 --arg=2:fill:7 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=remainder --arg=0:iota --arg=1:fill:5 --arg=2:fill:8 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=choice --arg=0:iota --arg=1:fill:5 --arg=2:fill:1 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=choice --arg=0:iota --arg=1:fill:5 --arg=2:fill:3 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=phase --arg=0:iota --arg=1:fill:5 --arg=2:fill:3 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=phase --arg=0:iota --arg=1:fill:5 --arg=2:fill:1 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=doubled --arg=0:iota --arg=1:fill:1 --verbose 2>&1 | FileCheck %s --check-prefix=FROM1
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=doubled --arg=0:iota --arg=1:fill:3 --verbose 2>&1 | FileCheck %s --check-prefix=FROM2
// ONE: executed barriers: 5,
// ONE: races: 0
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=high_bit --arg=0:iota --arg=1:fill:5 --arg=2:fill:4 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=high_bit --arg=0:iota --arg=1:fill:5 --arg=2:fill:3 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=beyond_the_sign --arg=0:iota --arg=1:fill:131 --verbose 2>&1 | FileCheck %s --check-prefix=SIGN
// FROM1: executed barriers: 0,
// FROM1: races: 0
// FROM2: executed barriers: 1,
// FROM2: races: 0
// SIGN: races: 0

!shared = memref<3x128xf32, #gpu.address_space<workgroup>>
!out = memref<128xf32>

// CHECK-LABEL: func.func @mask
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @mask(%x: !out, %n: index, %u: i32) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one32 = arith.constant 1 : i32
  %last = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  %bit = arith.andi %u, %one32 : i32
  %first = arith.index_cast %bit : i32 to index
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %slot = %first) -> (f32, index) {
    memref.store %one, %s[%slot, %tid] : !shared
    %v = memref.load %s[%slot, %other] : !shared
    %b = arith.addf %a, %v : f32
    %next = arith.xori %slot, %c1 : index
    scf.yield %b, %next : f32, index
  }
  memref.store %sum#0, %x[%tid] : !out
  return
}

// CHECK-LABEL: func.func @remainder
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @remainder(%x: !out, %n: index, %u: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %last = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  %first = arith.remui %u, %c3 : index
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %slot = %first) -> (f32, index) {
    memref.store %one, %s[%slot, %tid] : !shared
    %v = memref.load %s[%slot, %other] : !shared
    %b = arith.addf %a, %v : f32
    %isLast = arith.cmpi eq, %slot, %c2 : index
    %up = arith.addi %slot, %c1 : index
    %next = arith.select %isLast, %c0, %up : index
    scf.yield %b, %next : f32, index
  }
  memref.store %sum#0, %x[%tid] : !out
  return
}

// CHECK-LABEL: func.func @choice
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @choice(%x: !out, %n: index, %u: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %last = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  %isSmall = arith.cmpi slt, %u, %c2 : index
  %first = scf.if %isSmall -> index {
    scf.yield %c0 : index
  } else {
    scf.yield %c2 : index
  }
  %sum:3 = scf.while (%a = %zero, %slot = %first, %i = %c0) : (f32, index, index) -> (f32, index, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %a, %slot, %i : f32, index, index
  } do {
  ^bb0(%a: f32, %slot: index, %i: index):
    memref.store %one, %s[%slot, %tid] : !shared
    %v = memref.load %s[%slot, %other] : !shared
    %b = arith.addf %a, %v : f32
    %next = arith.subi %c2, %slot : index
    %k = arith.addi %i, %c1 : index
    scf.yield %b, %next, %k : f32, index, index
  }
  memref.store %sum#0, %x[%tid] : !out
  return
}

// CHECK-LABEL: func.func @phase
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @phase(%x: !out, %n: index, %u: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %last = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  %first = arith.cmpi slt, %u, %c2 : index
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %phase = %first) -> (f32, i1) {
    %slot = arith.select %phase, %c0, %c1 : index
    memref.store %one, %s[%slot, %tid] : !shared
    %v = memref.load %s[%slot, %other] : !shared
    %b = arith.addf %a, %v : f32
    %next = arith.xori %phase, %true : i1
    scf.yield %b, %next : f32, i1
  }
  memref.store %sum#0, %x[%tid] : !out
  return
}

// Four iterations from 1 or from 2: slot 16 is in the last one of the latter only,
// which reads what other threads have written in the one before.
// CHECK-LABEL: func.func @doubled
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @doubled(%x: !out, %u: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %last = arith.constant 127 : index
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : memref<17x128xf32, #gpu.address_space<workgroup>>
  %isSmall = arith.cmpi slt, %u, %c2 : index
  %first = arith.select %isSmall, %c1, %c2 : index
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%slot = %first) -> index {
    %isLast = arith.cmpi eq, %slot, %c16 : index
    scf.if %isLast {
      %v = memref.load %s[%c8, %other] : memref<17x128xf32, #gpu.address_space<workgroup>>
      memref.store %v, %x[%tid] : !out
    }
    memref.store %one, %s[%slot, %tid] : memref<17x128xf32, #gpu.address_space<workgroup>>
    %next = arith.addi %slot, %slot : index
    scf.yield %next : index
  }
  return
}

// A mask of another bit, as the first operand.
// CHECK-LABEL: func.func @high_bit
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @high_bit(%x: !out, %n: index, %u: i32) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %four32 = arith.constant 4 : i32
  %last = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : memref<5x128xf32, #gpu.address_space<workgroup>>
  %bit = arith.andi %four32, %u : i32
  %first = arith.index_cast %bit : i32 to index
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %slot = %first) -> (f32, index) {
    memref.store %one, %s[%slot, %tid] : memref<5x128xf32, #gpu.address_space<workgroup>>
    %v = memref.load %s[%slot, %other] : memref<5x128xf32, #gpu.address_space<workgroup>>
    %b = arith.addf %a, %v : f32
    %next = arith.xori %slot, %c4 : index
    scf.yield %b, %next : f32, index
  }
  memref.store %sum#0, %x[%tid] : !out
  return
}

// An unsigned counter of few bits is negative from the half on, for a comparison
// with sign: there all iterations have one slot.
// CHECK-LABEL: func.func @beyond_the_sign
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @beyond_the_sign(%x: !out, %n: i8) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %last = arith.constant 127 : index
  %value = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  scf.for unsigned %i = %zero to %n step %one : i8 {
    %isNegative = arith.cmpi slt, %i, %zero : i8
    %bit = arith.andi %i, %one : i8
    %slot8 = arith.select %isNegative, %zero, %bit : i8
    %slot = arith.index_castui %slot8 : i8 to index
    memref.store %value, %s[%slot, %tid] : !shared
    %v = memref.load %s[%slot, %other] : !shared
    memref.store %v, %x[%tid] : !out
  }
  return
}
