// What an scf.while carries is one number for all threads in one iteration, if it
// begins with one and goes on for all or for none: as the counter of an scf.for.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=owner --arg=0:iota --arg=1:fill:8 --verbose 2>&1 | FileCheck %s --check-prefix=OWNER
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=owner --arg=0:iota --arg=1:fill:8 --verbose 2>&1 | FileCheck %s --check-prefix=OWNER
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=substitution --arg=0:iota --arg=1:fill:12 --verbose 2>&1 | FileCheck %s --check-prefix=SUBSTITUTION
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=substitution --arg=0:iota --arg=1:fill:12 --verbose 2>&1 | FileCheck %s --check-prefix=SUBSTITUTION
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=two_trees --arg=0:iota --arg=1:fill:4 --verbose 2>&1 | FileCheck %s --check-prefix=TREES
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=two_trees --arg=0:iota --arg=1:fill:4 --verbose 2>&1 | FileCheck %s --check-prefix=TREES
// OWNER: executed barriers: 16,
// OWNER: races: 0
// SUBSTITUTION: executed barriers: 12,
// SUBSTITUTION: races: 0
// TREES: executed barriers: 12, subgroup barriers: 56,
// TREES: races: 0

!out = memref<128xi32>
!shared = memref<128xi32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @owner
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @owner(%x: !out, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tid = gpu.thread_id x
  %s = memref.alloc() : memref<1xi32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%tid] : !out
  %end = scf.while (%i = %c0) : (index) -> (index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %isOwn = arith.cmpi eq, %tid, %i : index
    scf.if %isOwn {
      memref.store %v, %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    %read = memref.load %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    memref.store %read, %x[%tid] : !out
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// Forward substitution: what is behind row i changes by row i.
// CHECK-LABEL: func.func @substitution
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @substitution(%x: !out, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tid = gpu.thread_id x
  %s = memref.alloc() : !shared
  %v = memref.load %x[%tid] : !out
  memref.store %v, %s[%tid] : !shared
  %end = scf.while (%i = %c0) : (index) -> (index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %row = memref.load %s[%i] : !shared
    %isBehind = arith.cmpi sgt, %tid, %i : index
    scf.if %isBehind {
      %own = memref.load %s[%tid] : !shared
      %less = arith.subi %own, %row : i32
      memref.store %less, %s[%tid] : !shared
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  %result = memref.load %s[%tid] : !shared
  memref.store %result, %x[%tid] : !out
  return
}

// The steps of the trees are followed where those of the loop around them, which
// have no end, are not.
// CHECK-LABEL: func.func @two_trees
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @two_trees(%x: !out, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %last = arith.constant 127 : index
  %zero = arith.constant 0 : i32
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  %end:2 = scf.while (%sum = %zero, %row = %c0) : (i32, index) -> (i32, index) {
    %more = arith.cmpi slt, %row, %n : index
    scf.condition(%more) %sum, %row : i32, index
  } do {
  ^bb0(%sum: i32, %row: index):
    %v = memref.load %x[%tid] : !out
    memref.store %v, %s[%tid] : !shared
    %first = scf.while (%stride = %c64) : (index) -> index {
      %more = arith.cmpi sgt, %stride, %c0 : index
      scf.condition(%more) %stride : index
    } do {
    ^bb0(%stride: index):
      %adds = arith.cmpi slt, %tid, %stride : index
      scf.if %adds {
        %a = memref.load %s[%tid] : !shared
        %far = arith.addi %tid, %stride : index
        %b = memref.load %s[%far] : !shared
        %c = arith.addi %a, %b : i32
        memref.store %c, %s[%tid] : !shared
      }
      %half = arith.shrui %stride, %c1 : index
      scf.yield %half : index
    }
    %second = scf.while (%stride = %c64) : (index) -> index {
      %more = arith.cmpi sgt, %stride, %c0 : index
      scf.condition(%more) %stride : index
    } do {
    ^bb0(%stride: index):
      %adds = arith.cmpi slt, %tid, %stride : index
      scf.if %adds {
        %a = memref.load %s[%tid] : !shared
        %far = arith.addi %tid, %stride : index
        %b = memref.load %s[%far] : !shared
        %c = arith.addi %a, %b : i32
        memref.store %c, %s[%tid] : !shared
      }
      %half = arith.shrui %stride, %c1 : index
      scf.yield %half : index
    }
    %w = memref.load %s[%other] : !shared
    %more = arith.addi %sum, %w : i32
    %next = arith.addi %row, %c1 : index
    scf.yield %more, %next : i32, index
  }
  memref.store %end#0, %x[%tid] : !out
  return
}
