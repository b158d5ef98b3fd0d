// In blocks, too, a loop whose end nobody knows may be around one that is stepped
// through: of the two counters the one is dropped that grows without end.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.cf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=tree --arg=0:iota --arg=1:fill:8 --verbose 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=tree --arg=0:iota --arg=1:fill:8 --verbose 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=exchanged --arg=0:iota --arg=1:fill:3 --verbose 2>&1 | FileCheck %s --check-prefix=EXCHANGED
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=exchanged --arg=0:iota --arg=1:fill:3 --verbose 2>&1 | FileCheck %s --check-prefix=EXCHANGED
// TREE: executed barriers: 16, subgroup barriers: 56,
// TREE: races: 0
// EXCHANGED: executed barriers: 36,
// EXCHANGED: races: 0

!shared = memref<128xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @tree
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @tree(%x: memref<512xf32>, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %tid = gpu.thread_id x
  %isFirst = arith.cmpi eq, %tid, %c0 : index
  %s = memref.alloc() : !shared
  scf.for %row = %c0 to %n step %c1 {
    %v = memref.load %x[%tid] : memref<512xf32>
    memref.store %v, %s[%tid] : !shared
    %end = scf.while (%stride = %c64) : (index) -> index {
      %more = arith.cmpi sgt, %stride, %c0 : index
      scf.condition(%more) %stride : index
    } do {
    ^bb0(%stride: index):
      %adds = arith.cmpi slt, %tid, %stride : index
      scf.if %adds {
        %other = arith.addi %tid, %stride : index
        %a = memref.load %s[%tid] : !shared
        %b = memref.load %s[%other] : !shared
        %sum = arith.addf %a, %b : f32
        memref.store %sum, %s[%tid] : !shared
      }
      %half = arith.shrui %stride, %c1 : index
      scf.yield %half : index
    }
    scf.if %isFirst {
      %sum = memref.load %s[%c0] : !shared
      memref.store %sum, %x[%row] : memref<512xf32>
    }
  }
  return
}

// Two buffers change places in each of twelve steps: a barrier in each.
// CHECK-LABEL: func.func @exchanged
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @exchanged(%x: memref<128xf32>, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %s = memref.alloc() : memref<2x128xf32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %n step %c1 {
    %end = scf.for %j = %c0 to %c12 step %c1 iter_args(%slot = %c0) -> index {
      %v = memref.load %x[%tid] : memref<128xf32>
      memref.store %v, %s[%slot, %tid] : memref<2x128xf32, #gpu.address_space<workgroup>>
      %w = memref.load %s[%slot, %other] : memref<2x128xf32, #gpu.address_space<workgroup>>
      memref.store %w, %x[%tid] : memref<128xf32>
      %next = arith.subi %c1, %slot : index
      scf.yield %next : index
    }
  }
  return
}
