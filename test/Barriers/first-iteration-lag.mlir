// A ring that is read from the second iteration on, in a loop of unknown length:
// the slot that is read follows the one that is written.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t.mlir -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=one_behind --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=one_behind --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=one_behind --arg=0:random:1 --arg=2:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=one_behind --arg=0:random:1 --arg=2:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=by_roles --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=SEVEN
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=by_roles --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=SEVEN
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=two_slots --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=two_slots --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=two_behind --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=two_behind --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// SIX: executed barriers: 6,
// SIX: races: 0,
// SEVEN: executed barriers: 7,
// SEVEN: races: 0,
// CLEAN: races: 0,

!S = memref<3x128xi32, #gpu.address_space<workgroup>>

// CHECK-LABEL: @one_behind(
// CHECK: scf.if
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @one_behind(%in: memref<2048xi32>, %out: memref<2048xi32>, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %s = memref.alloc() : !S
  %z:2 = scf.for %i = %c0 to %n step %c1 iter_args(%r = %c0, %w = %c0) -> (index, index) {
    %b = arith.muli %i, %c128 : index
    %a = arith.addi %b, %x : index
    %v = memref.load %in[%a] : memref<2048xi32>
    memref.store %v, %s[%w, %x] : !S
    %later = arith.cmpi ugt, %i, %c0 : index
    %nr = scf.if %later -> index {
      %l = memref.load %s[%r, %rv] : !S
      memref.store %l, %out[%a] : memref<2048xi32>
      %e = arith.cmpi eq, %r, %c2 : index
      %r1 = arith.addi %r, %c1 : index
      %r2 = arith.select %e, %c0, %r1 : index
      scf.yield %r2 : index
    } else {
      scf.yield %r : index
    }
    %e = arith.cmpi eq, %w, %c2 : index
    %w1 = arith.addi %w, %c1 : index
    %w2 = arith.select %e, %c0, %w1 : index
    scf.yield %nr, %w2 : index, index
  }
  return
}

// CHECK-LABEL: @by_roles(
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @by_roles(%in: memref<2048xi32>, %out: memref<2048xi32>, %n: index) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %c255 = arith.constant 255 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c255, %x : index
  %s = memref.alloc() : !S
  %prod = arith.cmpi ult, %x, %c128 : index
  %z:2 = scf.for %i = %c0 to %n step %c1 iter_args(%r = %c0, %w = %c0) -> (index, index) {
    %b = arith.muli %i, %c128 : index
    %later = arith.cmpi ugt, %i, %c0 : index
    scf.if %prod {
      %a = arith.addi %b, %x : index
      %v = memref.load %in[%a] : memref<2048xi32>
      memref.store %v, %s[%w, %x] : !S
    } else {
      scf.if %later {
        %l = memref.load %s[%r, %rv] : !S
        %a = arith.addi %b, %rv : index
        memref.store %l, %out[%a] : memref<2048xi32>
      }
    }
    %e1 = arith.cmpi eq, %r, %c2 : index
    %r1 = arith.addi %r, %c1 : index
    %r2 = arith.select %e1, %c0, %r1 : index
    %nr = arith.select %later, %r2, %r : index
    %e = arith.cmpi eq, %w, %c2 : index
    %w1 = arith.addi %w, %c1 : index
    %w2 = arith.select %e, %c0, %w1 : index
    scf.yield %nr, %w2 : index, index
  }
  return
}

// Of two slots the one that was read is written next.
// CHECK-LABEL: @two_slots(
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: memref.store
// CHECK-NOT: gpu.barrier
func.func @two_slots(%in: memref<2048xi32>, %out: memref<2048xi32>, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %s = memref.alloc() : !S
  %z:2 = scf.for %i = %c0 to %n step %c1 iter_args(%r = %c0, %w = %c0) -> (index, index) {
    %b = arith.muli %i, %c128 : index
    %a = arith.addi %b, %x : index
    %v = memref.load %in[%a] : memref<2048xi32>
    memref.store %v, %s[%w, %x] : !S
    %later = arith.cmpi ugt, %i, %c0 : index
    %nr = scf.if %later -> index {
      %l = memref.load %s[%r, %rv] : !S
      memref.store %l, %out[%a] : memref<2048xi32>
      %e = arith.cmpi eq, %r, %c1 : index
      %r1 = arith.addi %r, %c1 : index
      %r2 = arith.select %e, %c0, %r1 : index
      scf.yield %r2 : index
    } else {
      scf.yield %r : index
    }
    %e = arith.cmpi eq, %w, %c1 : index
    %w1 = arith.addi %w, %c1 : index
    %w2 = arith.select %e, %c0, %w1 : index
    scf.yield %nr, %w2 : index, index
  }
  return
}

// From the third iteration on: which one that is nobody follows.
// CHECK-LABEL: @two_behind(
// CHECK: gpu.barrier
func.func @two_behind(%in: memref<2048xi32>, %out: memref<2048xi32>, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %s = memref.alloc() : !S
  %z:2 = scf.for %i = %c0 to %n step %c1 iter_args(%r = %c0, %w = %c0) -> (index, index) {
    %b = arith.muli %i, %c128 : index
    %a = arith.addi %b, %x : index
    %v = memref.load %in[%a] : memref<2048xi32>
    memref.store %v, %s[%w, %x] : !S
    %later = arith.cmpi ugt, %i, %c1 : index
    %nr = scf.if %later -> index {
      %l = memref.load %s[%r, %rv] : !S
      memref.store %l, %out[%a] : memref<2048xi32>
      %e = arith.cmpi eq, %r, %c2 : index
      %r1 = arith.addi %r, %c1 : index
      %r2 = arith.select %e, %c0, %r1 : index
      scf.yield %r2 : index
    } else {
      scf.yield %r : index
    }
    %e = arith.cmpi eq, %w, %c2 : index
    %w1 = arith.addi %w, %c1 : index
    %w2 = arith.select %e, %c0, %w1 : index
    scf.yield %nr, %w2 : index, index
  }
  return
}
