// A loop that nobody knows the end of may be left with one of a few numbers, or
// buffers: what is behind it is executed with each.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=nested --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=nested --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=in_a_row --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=in_a_row --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=exchanged --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=EXCHANGED
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=known_outside --arg=0:iota --arg=1:fill:4 --verbose 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=conditions --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=CONDITIONS
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=conditions --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=CONDITIONS
// NESTED: executed barriers: 25,
// NESTED: races: 0
// ROW: executed barriers: 11,
// ROW: races: 0
// EXCHANGED: executed barriers: 10,
// EXCHANGED: races: 0
// KNOWN: executed barriers: 24,
// KNOWN: races: 0
// CONDITIONS: executed barriers: 55,
// CONDITIONS: races: 0

!shared = memref<2x128xf32, #gpu.address_space<workgroup>>
!half = memref<128xf32, #gpu.address_space<workgroup>>
!out = memref<128xf32>

// CHECK-LABEL: func.func @nested
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @nested(%x: !out, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %slot = %c0) -> (f32, index) {
    %inner:2 = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a, %own = %slot) -> (f32, index) {
      memref.store %one, %s[%own, %tid] : !shared
      %v = memref.load %s[%own, %other] : !shared
      %c = arith.addf %b, %v : f32
      %next = arith.xori %own, %c1 : index
      scf.yield %c, %next : f32, index
    }
    scf.yield %inner#0, %inner#1 : f32, index
  }
  memref.store %sum#0, %x[%tid] : !out
  return
}

// The last slot is one more behind both loops.
// CHECK-LABEL: func.func @in_a_row
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @in_a_row(%x: !out, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  %first:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %slot = %c0) -> (f32, index) {
    memref.store %one, %s[%slot, %tid] : !shared
    %v = memref.load %s[%slot, %other] : !shared
    %b = arith.addf %a, %v : f32
    %next = arith.xori %slot, %c1 : index
    scf.yield %b, %next : f32, index
  }
  %second:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first#0, %slot = %first#1) -> (f32, index) {
    memref.store %one, %s[%slot, %tid] : !shared
    %v = memref.load %s[%slot, %other] : !shared
    %b = arith.addf %a, %v : f32
    %next = arith.xori %slot, %c1 : index
    scf.yield %b, %next : f32, index
  }
  memref.store %one, %s[%second#1, %tid] : !shared
  %v = memref.load %s[%second#1, %other] : !shared
  %sum = arith.addf %second#0, %v : f32
  memref.store %sum, %x[%tid] : !out
  return
}

// Two buffers change places in two loops.
// CHECK-LABEL: func.func @exchanged
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @exchanged(%x: !out, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !half
  %r = memref.alloc() : !half
  %first:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %p = %s, %q = %r) -> (f32, !half, !half) {
    memref.store %one, %p[%tid] : !half
    %v = memref.load %p[%other] : !half
    %b = arith.addf %a, %v : f32
    scf.yield %b, %q, %p : f32, !half, !half
  }
  %second:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first#0, %p = %first#1, %q = %first#2) -> (f32, !half, !half) {
    memref.store %one, %p[%tid] : !half
    %v = memref.load %p[%other] : !half
    %b = arith.addf %a, %v : f32
    scf.yield %b, %q, %p : f32, !half, !half
  }
  memref.store %second#0, %x[%tid] : !out
  return
}

// The loop around ends where it is known to; each of its iterations may begin
// with either slot.
// CHECK-LABEL: func.func @known_outside
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @known_outside(%x: !out, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %last = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  %sum:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%a = %zero, %slot = %c0) -> (f32, index) {
    %inner:2 = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a, %own = %slot) -> (f32, index) {
      memref.store %one, %s[%own, %tid] : !shared
      %v = memref.load %s[%own, %other] : !shared
      %c = arith.addf %b, %v : f32
      %next = arith.xori %own, %c1 : index
      scf.yield %c, %next : f32, index
    }
    scf.yield %inner#0, %inner#1 : f32, index
  }
  memref.store %sum#0, %x[%tid] : !out
  return
}

// Loops in both regions of an scf.while.
// CHECK-LABEL: func.func @conditions
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @conditions(%x: !out, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  %sum:3 = scf.while (%a = %zero, %slot = %c0, %i = %c0) : (f32, index, index) -> (f32, index, index) {
    %inner:2 = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a, %own = %slot) -> (f32, index) {
      memref.store %one, %s[%own, %tid] : !shared
      %v = memref.load %s[%own, %other] : !shared
      %c = arith.addf %b, %v : f32
      %next = arith.xori %own, %c1 : index
      scf.yield %c, %next : f32, index
    }
    %goesOn = arith.cmpi slt, %i, %n : index
    scf.condition(%goesOn) %inner#0, %inner#1, %i : f32, index, index
  } do {
  ^bb0(%a: f32, %slot: index, %i: index):
    %inner:2 = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a, %own = %slot) -> (f32, index) {
      memref.store %one, %s[%own, %tid] : !shared
      %v = memref.load %s[%own, %other] : !shared
      %c = arith.addf %b, %v : f32
      %next = arith.xori %own, %c1 : index
      scf.yield %c, %next : f32, index
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %inner#0, %inner#1, %next : f32, index, index
  }
  memref.store %sum#0, %x[%tid] : !out
  return
}
