// What one number chooses is stepped through, whichever op it is: `scf.index_switch` as
// `scf.if`, and `cf.cond_br` and `cf.switch` where several of their ways lead to one block.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t.scf.mlir -convert-scf-to-cf -canonicalize -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s --input-file=%t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=buffers --arg=0:fill:9 --arg=1:iota --verbose 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=buffers --arg=0:fill:9 --arg=1:iota --verbose 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=regions --arg=0:iota --verbose 2>&1 | FileCheck %s --check-prefix=REGIONS
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=regions --arg=0:iota --verbose 2>&1 | FileCheck %s --check-prefix=REGIONS
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=one_block --arg=0:iota --verbose 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=cases_of_one_block --arg=0:iota --verbose 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=guards --arg=0:iota --verbose 2>&1 | FileCheck %s --check-prefix=GUARDS
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=guards --arg=0:iota --verbose 2>&1 | FileCheck %s --check-prefix=GUARDS
// BUFFERS: executed barriers: 9,
// BUFFERS: races: 0
// REGIONS: executed barriers: 8,
// REGIONS: races: 0
// BLOCK: executed barriers: 8,
// BLOCK: races: 0
// GUARDS: executed barriers: 7,
// GUARDS: races: 0

!shared = memref<128xf32, #gpu.address_space<workgroup>>
!ring = memref<4x128xf32, #gpu.address_space<workgroup>>

// Two buffers in turn, in a loop whose end nobody knows: one barrier an iteration.
// CHECK-LABEL: func.func @buffers
// CHECK: scf.for
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @buffers(%n: index, %in: memref<128xf32>, %out: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %b = memref.alloc() : !shared
  %x = memref.load %in[%tid] : memref<128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> f32 {
    %slot = arith.remui %i, %c2 : index
    %m = scf.index_switch %slot -> !shared
    case 0 {
      scf.yield %a : !shared
    }
    default {
      scf.yield %b : !shared
    }
    memref.store %v, %m[%tid] : !shared
    %w = memref.load %m[%other] : !shared
    scf.yield %w : f32
  }
  memref.store %r, %out[%tid] : memref<128xf32>
  return
}

// The regions store and load; a case that never comes does neither.
// CHECK-LABEL: func.func @regions
func.func @regions(%in: memref<128xf32>, %out: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %b = memref.alloc() : !shared
  %x = memref.load %in[%tid] : memref<128xf32>
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%v = %x, %slot = %c0) -> (f32, index) {
    %w = scf.index_switch %slot -> f32
    case 0 {
      memref.store %v, %a[%tid] : !shared
      %y = memref.load %a[%other] : !shared
      scf.yield %y : f32
    }
    case 1 {
      memref.store %v, %b[%tid] : !shared
      %y = memref.load %b[%other] : !shared
      scf.yield %y : f32
    }
    default {
      %y = memref.load %a[%c0] : !shared
      memref.store %y, %b[%other] : !shared
      scf.yield %y : f32
    }
    %next = arith.subi %c1, %slot : index
    scf.yield %w, %next : f32, index
  }
  memref.store %r#0, %out[%tid] : memref<128xf32>
  return
}

// Both ways of the branch lead to one block, and each brings another slot.
// CHECK-LABEL: func.func @one_block
func.func @one_block(%in: memref<128xf32>, %out: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %a = memref.alloc() : !ring
  %x = memref.load %in[%tid] : memref<128xf32>
  cf.br ^head(%c0, %c0, %x : index, index, f32)
^head(%i: index, %slot: index, %v: f32):
  %more = arith.cmpi slt, %i, %c8 : index
  cf.cond_br %more, ^body, ^end
^body:
  memref.store %v, %a[%slot, %tid] : !ring
  %w = memref.load %a[%slot, %other] : !ring
  %next = arith.addi %i, %c1 : index
  %first = arith.cmpi eq, %slot, %c0 : index
  cf.cond_br %first, ^latch(%c1 : index), ^latch(%c0 : index)
^latch(%then: index):
  cf.br ^head(%next, %then, %w : index, index, f32)
^end:
  memref.store %v, %out[%tid] : memref<128xf32>
  return
}

// CHECK-LABEL: func.func @cases_of_one_block
func.func @cases_of_one_block(%in: memref<128xf32>, %out: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %a = memref.alloc() : !ring
  %x = memref.load %in[%tid] : memref<128xf32>
  cf.br ^head(%c0, %c0, %x : index, index, f32)
^head(%i: index, %slot: index, %v: f32):
  %more = arith.cmpi slt, %i, %c8 : index
  cf.cond_br %more, ^body, ^end
^body:
  memref.store %v, %a[%slot, %tid] : !ring
  %w = memref.load %a[%slot, %other] : !ring
  %next = arith.addi %i, %c1 : index
  %flag = arith.index_cast %slot : index to i32
  cf.switch %flag : i32, [
    default: ^latch(%c0 : index),
    0: ^latch(%c1 : index),
    1: ^latch(%c2 : index)
  ]
^latch(%then: index):
  cf.br ^head(%next, %then, %w : index, index, f32)
^end:
  memref.store %v, %out[%tid] : memref<128xf32>
  return
}

// A barrier where the slot wraps is executed twice, and one under the guard five times: in
// which iterations the counter lets the guard through decides that these do.
// CHECK-LABEL: func.func @guards
func.func @guards(%in: memref<16x128xf32>, %out: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %a = memref.alloc() : !ring
  %x0 = memref.load %in[%c0, %tid] : memref<16x128xf32>
  memref.store %x0, %a[%c0, %tid] : !ring
  %x1 = memref.load %in[%c1, %tid] : memref<16x128xf32>
  memref.store %x1, %a[%c1, %tid] : !ring
  %x2 = memref.load %in[%c2, %tid] : memref<16x128xf32>
  memref.store %x2, %a[%c2, %tid] : !ring
  %r:3 = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %zero, %read = %c0, %write = %c3) -> (f32, index, index) {
    %ahead = arith.addi %i, %c3 : index
    %more = arith.cmpi ult, %ahead, %c8 : index
    scf.if %more {
      %x = memref.load %in[%ahead, %tid] : memref<16x128xf32>
      memref.store %x, %a[%write, %tid] : !ring
    }
    %y = memref.load %a[%read, %other] : !ring
    %next = arith.addf %sum, %y : f32
    %last = arith.cmpi eq, %read, %c3 : index
    %read1 = scf.if %last -> index {
      scf.yield %c0 : index
    } else {
      %n = arith.addi %read, %c1 : index
      scf.yield %n : index
    }
    %wraps = arith.cmpi eq, %write, %c3 : index
    %write1 = scf.if %wraps -> index {
      scf.yield %c0 : index
    } else {
      %n = arith.addi %write, %c1 : index
      scf.yield %n : index
    }
    scf.yield %next, %read1, %write1 : f32, index, index
  }
  memref.store %r#0, %out[%tid] : memref<128xf32>
  return
}
