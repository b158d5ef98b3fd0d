// Of a guard that is made of several conditions each part counts, where the whole is not
// known: threads that one part keeps out touch nothing. A tree that adds only what is
// positive needs what the tree with two nested guards needs.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s --input-file=%t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=both --arg=0:random:1 --verbose 2>&1 | FileCheck %s --check-prefix=EXEC
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=both --arg=0:random:2 --verbose 2>&1 | FileCheck %s --check-prefix=EXEC
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=neither --arg=0:random:3 --verbose 2>&1 | FileCheck %s --check-prefix=EXEC
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=neither --arg=0:random:4 --verbose 2>&1 | FileCheck %s --check-prefix=EXEC
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=chosen --arg=0:random:5 --verbose 2>&1 | FileCheck %s --check-prefix=EXEC
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=chosen --arg=0:random:6 --verbose 2>&1 | FileCheck %s --check-prefix=EXEC
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=both --arg=0:random:1 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: FileCheck %s --check-prefix=SCF < %t.scf.mlir
// RUN: FileCheck %s --check-prefix=SCF < %t.cf.mlir
// NONE: possible data race
// RACE: data race
// EXEC: executed barriers: 2, subgroup barriers: 7,
// EXEC: races: 0

!shared = memref<256xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @both
// CHECK: scf.while
// CHECK: memspace.subgroup_barrier
// CHECK: return
// SCF-LABEL: func.func @both
// SCF-COUNT-2: gpu.barrier
// SCF-NOT: gpu.barrier
// SCF: return
func.func @both(%x: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %s = memref.alloc() : !shared
  memref.store %one, %s[%tid] : !shared
  %end = scf.while (%i = %c64) : (index) -> index {
    %more = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %v = memref.load %x[%tid] : memref<128xf32>
    %isPositive = arith.cmpf ogt, %v, %zero : f32
    %isBelow = arith.cmpi slt, %tid, %i : index
    %adds = arith.andi %isPositive, %isBelow : i1
    scf.if %adds {
      %other = arith.addi %tid, %i : index
      %a = memref.load %s[%tid] : !shared
      %b = memref.load %s[%other] : !shared
      %sum = arith.addf %a, %b : f32
      memref.store %sum, %s[%tid] : !shared
    }
    %half = arith.shrui %i, %c1 : index
    scf.yield %half : index
  }
  %reversed = arith.subi %c127, %tid : index
  %r = memref.load %s[%reversed] : !shared
  memref.store %r, %x[%tid] : memref<128xf32>
  return
}

// The other side of an "or", and what is behind a "not".
// SCF-LABEL: func.func @neither
// SCF-COUNT-2: gpu.barrier
// SCF-NOT: gpu.barrier
// SCF: return
func.func @neither(%x: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %true = arith.constant true
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %s = memref.alloc() : !shared
  memref.store %one, %s[%tid] : !shared
  %end = scf.while (%i = %c64) : (index) -> index {
    %more = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %v = memref.load %x[%tid] : memref<128xf32>
    %isNegative = arith.cmpf ole, %v, %zero : f32
    %isBelow = arith.cmpi slt, %tid, %i : index
    %isAbove = arith.xori %isBelow, %true : i1
    %adds = arith.ori %isNegative, %isAbove : i1
    scf.if %adds {
    } else {
      %other = arith.addi %tid, %i : index
      %a = memref.load %s[%tid] : !shared
      %b = memref.load %s[%other] : !shared
      %sum = arith.addf %a, %b : f32
      memref.store %sum, %s[%tid] : !shared
    }
    %half = arith.shrui %i, %c1 : index
    scf.yield %half : index
  }
  %reversed = arith.subi %c127, %tid : index
  %r = memref.load %s[%reversed] : !shared
  memref.store %r, %x[%tid] : memref<128xf32>
  return
}

// A choice of which only one side can have led there.
// SCF-LABEL: func.func @chosen
// SCF-COUNT-2: gpu.barrier
// SCF-NOT: gpu.barrier
// SCF: return
func.func @chosen(%x: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %false = arith.constant false
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %s = memref.alloc() : !shared
  memref.store %one, %s[%tid] : !shared
  %end = scf.while (%i = %c64) : (index) -> index {
    %more = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %v = memref.load %x[%tid] : memref<128xf32>
    %isPositive = arith.cmpf ogt, %v, %zero : f32
    %isBelow = arith.cmpi slt, %tid, %i : index
    %adds = arith.select %isPositive, %isBelow, %false : i1
    scf.if %adds {
      %other = arith.addi %tid, %i : index
      %a = memref.load %s[%tid] : !shared
      %b = memref.load %s[%other] : !shared
      %sum = arith.addf %a, %b : f32
      memref.store %sum, %s[%tid] : !shared
    }
    %half = arith.shrui %i, %c1 : index
    scf.yield %half : index
  }
  %reversed = arith.subi %c127, %tid : index
  %r = memref.load %s[%reversed] : !shared
  memref.store %r, %x[%tid] : memref<128xf32>
  return
}
