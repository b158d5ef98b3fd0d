// Loops of blocks in each other: the inner one, which only reads, has more
// iterations than are told apart. Its counter is not followed, the slot is.
// RUN: mlir-opt %s -convert-scf-to-cf -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-insert-barriers=chip=gfx942 -o %t.placed.mlir
// RUN: memspace-opt %t.placed.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.placed.mlir
// RUN: memspace-runner %t.placed.mlir --chip=gfx942 --arg=0:iota --arg=1:iota --arg=2:fill:6 --verbose 2>&1 | FileCheck %s --check-prefix=EXECUTED
// EXECUTED: executed barriers: 24,
// EXECUTED: races: 0

// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @tiles(%x: memref<8x128xi32>, %y: memref<128xi32>, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0 : i32
  %tid = gpu.thread_id x
  %s = memref.alloc() : memref<2x128xi32, #gpu.address_space<workgroup>>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (i32) {
    %some:2 = scf.for %tile = %c0 to %c4 step %c1 iter_args(%b = %a, %slot = %c0) -> (i32, index) {
      %v = memref.load %x[%tile, %tid] : memref<8x128xi32>
      memref.store %v, %s[%slot, %tid] : memref<2x128xi32, #gpu.address_space<workgroup>>
      %sum = scf.for %j = %c0 to %c128 step %c1 iter_args(%c = %b) -> (i32) {
        %w = memref.load %s[%slot, %j] : memref<2x128xi32, #gpu.address_space<workgroup>>
        %d = arith.addi %c, %w : i32
        scf.yield %d : i32
      }
      %next = arith.xori %slot, %c1 : index
      scf.yield %sum, %next : i32, index
    }
    scf.yield %some#0 : i32
  }
  memref.store %all, %y[%tid] : memref<128xi32>
  return
}
