// Slots `(i + 3) % 4` of a number of 32 bits with a sign, which may wrap: below zero there
// is no slot, so that it is the number modulo 4 wherever it is used.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: FileCheck %s --check-prefix=BLOCKS < %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=N0
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=N0
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=N1
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=N1
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --arg=0:random:1 --arg=2:fill:7 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=N7
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --arg=0:random:1 --arg=2:fill:7 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=N7
// N0: executed barriers: 0,
// N0: races: 0,
// N1: executed barriers: 1,
// N1: races: 0,
// N7: executed barriers: 7,
// N7: races: 0,

!R = memref<4x128xi32, #gpu.address_space<workgroup>>
!G = memref<2048xi32>

// One in each iteration.
// CHECK-LABEL: @slot_ahead(
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-NOT: barrier
// CHECK: return
// BLOCKS-LABEL: @slot_ahead(
// BLOCKS: gpu.barrier
// BLOCKS-NOT: barrier
// BLOCKS: return
func.func @slot_ahead(%in: !G, %out: !G, %n: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k3 = arith.constant 3 : i32
  %k4 = arith.constant 4 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %s = memref.alloc() : !R
  %v0 = memref.load %in[%x] : !G
  memref.store %v0, %s[%c0, %x] : !R
  memref.store %v0, %s[%c1, %x] : !R
  memref.store %v0, %s[%c2, %x] : !R
  scf.for %i = %k0 to %n step %k1 : i32 {
    %j32 = arith.addi %i, %k3 : i32
    %q32 = arith.remsi %j32, %k4 : i32
    %q = arith.index_cast %q32 : i32 to index
    %p32 = arith.remsi %i, %k4 : i32
    %p = arith.index_cast %p32 : i32 to index
    %ii = arith.index_cast %i : i32 to index
    %b = arith.muli %ii, %c128 : index
    %a = arith.addi %b, %x : index
    %v = memref.load %in[%a] : !G
    memref.store %v, %s[%q, %x] : !R
    %w = memref.load %s[%p, %rv] : !R
    memref.store %w, %out[%a] : !G
  }
  return
}
