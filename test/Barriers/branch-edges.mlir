// A loop of blocks that decides at its end leads back by a way that has no block
// of its own: a barrier there has one made for it, and is not executed when the
// loop is left.
// RUN: mlir-opt %s -convert-scf-to-cf -o %t.blocks.mlir
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.blocks.mlir -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.cf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=rounds --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=ROUNDS
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=rounds --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=ROUNDS
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=two_ways --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=WAYS
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=two_ways --arg=0:iota --arg=1:fill:2 --verbose 2>&1 | FileCheck %s --check-prefix=WAYS
// ROUNDS: executed barriers: 9,
// ROUNDS: races: 0
// WAYS: executed barriers: 1,
// WAYS: races: 0

!shared = memref<128xi32, #gpu.address_space<workgroup>>

// What others have read is written again, but not in the last round.
// CHECK-LABEL: func.func @rounds
// CHECK: cf.cond_br %{{.*}}, ^[[EDGE:bb[0-9]+]], ^{{bb[0-9]+}}
// CHECK-NEXT: ^[[EDGE]]:
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: cf.br ^{{bb[0-9]+}}(%{{.*}}, %{{.*}} : i32, index)
// CHECK: return
func.func @rounds(%x: memref<128xi32>, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  %first = memref.load %x[%tid] : memref<128xi32>
  %end:2 = scf.while (%a = %first, %i = %c0) : (i32, index) -> (i32, index) {
    memref.store %a, %s[%tid] : !shared
    %b = memref.load %s[%other] : !shared
    %sum = arith.addi %a, %b : i32
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %next, %n : index
    scf.condition(%more) %sum, %next : i32, index
  } do {
  ^bb0(%a: i32, %i: index):
    scf.yield %a, %i : i32, index
  }
  memref.store %end#0, %x[%tid] : memref<128xi32>
  return
}

// Both ways lead to one block, only one of them to what other threads have
// written; which one that is the block does not know.
// CHECK-LABEL: func.func @two_ways
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @two_ways(%x: memref<128xi32>, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %last = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %last, %tid : index
  %s = memref.alloc() : !shared
  %first = memref.load %x[%tid] : memref<128xi32>
  memref.store %first, %s[%tid] : !shared
  %isSmall = arith.cmpi slt, %n, %c3 : index
  cf.cond_br %isSmall, ^read(%tid : index), ^read(%other : index)
^read(%at: index):
  %v = memref.load %s[%at] : !shared
  memref.store %v, %x[%tid] : memref<128xi32>
  return
}
