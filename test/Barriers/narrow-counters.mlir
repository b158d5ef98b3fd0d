// Counters of few bits, as C has them. One that may become too large keeps what it is
// modulo the powers of two that divide its step: threads stay apart. Where the end of the
// loop is known it does not become too large.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: FileCheck %s < %t.cf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=unknown_end --arg=0:iota --arg=1:fill:500 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=unknown_end --arg=0:iota --arg=1:fill:500 --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=shifted --arg=0:iota --verbose 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=lanes --verbose 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=wraps --arg=0:fill:20 --verbose 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=wraps --arg=0:fill:20 --verbose 2>&1 | FileCheck %s --check-prefix=NONE
// ONE: executed barriers: 1,
// ONE: races: 0
// NONE: executed barriers: 0,
// NONE: races: 0

!shared = memref<512xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @unknown_end
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @unknown_end(%x: memref<512xf32>, %n: i32) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %step = arith.constant 128 : i32
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i32
  %s = memref.alloc() : !shared
  %end = scf.while (%i = %t) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %at = arith.index_cast %i : i32 to index
    %v = memref.load %x[%at] : memref<512xf32>
    memref.store %v, %s[%at] : !shared
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  %reversed = arith.subi %c127, %tid : index
  %r = memref.load %s[%reversed] : !shared
  memref.store %r, %x[%tid] : memref<512xf32>
  return
}

// What is shifted as a number without a sign must not be negative.
// CHECK-LABEL: func.func @shifted
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @shifted(%x: memref<512xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : i32
  %c63 = arith.constant 63 : i32
  %end = arith.constant 512 : i32
  %step = arith.constant 128 : i32
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i32
  %s = memref.alloc() : memref<8x64xf32, #gpu.address_space<workgroup>>
  scf.for %i = %t to %end step %step : i32 {
    %at = arith.index_cast %i : i32 to index
    %v = memref.load %x[%at] : memref<512xf32>
    %row = arith.shrui %i, %c6 : i32
    %column = arith.andi %i, %c63 : i32
    %p = arith.index_cast %row : i32 to index
    %q = arith.index_cast %column : i32 to index
    memref.store %v, %s[%p, %q] : memref<8x64xf32, #gpu.address_space<workgroup>>
  }
  %low = arith.andi %t, %c63 : i32
  %column = arith.index_cast %low : i32 to index
  %r = memref.load %s[%c0, %column] : memref<8x64xf32, #gpu.address_space<workgroup>>
  memref.store %r, %x[%tid] : memref<512xf32>
  return
}

// The first lane of each subgroup turns round what is its own.
// CHECK-LABEL: func.func @lanes
// CHECK-NOT: barrier
// CHECK: return
func.func @lanes() attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c6 = arith.constant 6 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i32
  %subgroup = arith.shrui %t, %c6 : i32
  %lane = arith.andi %t, %c63 : i32
  %isFirst = arith.cmpi eq, %lane, %c0 : i32
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  scf.if %isFirst {
    %own = arith.muli %subgroup, %c64 : i32
    scf.for %j = %c0 to %c8 step %c1 : i32 {
      %p = arith.addi %own, %j : i32
      %at = arith.index_cast %p : i32 to index
      memref.store %zero, %s[%at] : memref<128xf32, #gpu.address_space<workgroup>>
    }
    scf.for %j = %c0 to %c8 step %c1 : i32 {
      %last = arith.addi %own, %c7 : i32
      %from = arith.subi %last, %j : i32
      %q = arith.index_cast %from : i32 to index
      %v = memref.load %s[%q] : memref<128xf32, #gpu.address_space<workgroup>>
      %to = arith.addi %own, %j : i32
      %p = arith.index_cast %to : i32 to index
      memref.store %v, %s[%p] : memref<128xf32, #gpu.address_space<workgroup>>
    }
  }
  return
}

// It does become too large, several times: threads are apart all the same.
// CHECK-LABEL: func.func @wraps
// CHECK-NOT: barrier
// CHECK: return
func.func @wraps(%n: index) attributes {
    gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c255 = arith.constant 255 : index
  %step = arith.constant 96 : i8
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i8
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%i = %t) -> i8 {
    %number = arith.index_cast %i : i8 to index
    %at = arith.andi %number, %c255 : index
    memref.store %zero, %s[%at] : memref<256xf32, #gpu.address_space<workgroup>>
    %next = arith.addi %i, %step : i8
    scf.yield %next : i8
  }
  return
}
