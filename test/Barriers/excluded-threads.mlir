// A guard that leaves out one thread, or one row, of all: `t != k`. What it leaves
// out is what the others read.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=one_line --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=one_line --arg=0:iota --arg=1:fill:5 --verbose 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=gauss_jordan --arg=0:iota --arg=1:fill:8 --verbose 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=gauss_jordan --arg=0:iota --arg=1:fill:8 --verbose 2>&1 | FileCheck %s --check-prefix=ROWS
// LINE: executed barriers: 5,
// LINE: races: 0
// ROWS: executed barriers: 8, subgroup barriers: 8,
// ROWS: races: 0

!line = memref<128xi32, #gpu.address_space<workgroup>>
!rows = memref<16x16xi32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @one_line
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @one_line(%x: memref<128xi32>, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tid = gpu.thread_id x
  %s = memref.alloc() : !line
  %first = memref.load %x[%tid] : memref<128xi32>
  memref.store %first, %s[%tid] : !line
  scf.for %k = %c0 to %n step %c1 {
    %pivot = memref.load %s[%k] : !line
    %isOwn = arith.cmpi eq, %tid, %k : index
    scf.if %isOwn {
    } else {
      %a = memref.load %s[%tid] : !line
      %b = arith.addi %a, %pivot : i32
      memref.store %b, %s[%tid] : !line
    }
  }
  %last = memref.load %s[%tid] : !line
  memref.store %last, %x[%tid] : memref<128xi32>
  return
}

// The column is read by threads of one subgroup, the row by all.
// CHECK-LABEL: func.func @gauss_jordan
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @gauss_jordan(%x: memref<16x16xi32>, %n: index) attributes {
    gpu.known_block_size = array<i32: 16, 16, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %col = gpu.thread_id x
  %row = gpu.thread_id y
  %s = memref.alloc() : !rows
  %first = memref.load %x[%row, %col] : memref<16x16xi32>
  memref.store %first, %s[%row, %col] : !rows
  scf.for %k = %c0 to %n step %c1 {
    %factor = memref.load %s[%row, %k] : !rows
    %pivot = memref.load %s[%k, %col] : !rows
    %isOther = arith.cmpi ne, %row, %k : index
    scf.if %isOther {
      %a = memref.load %s[%row, %col] : !rows
      %product = arith.muli %factor, %pivot : i32
      %b = arith.subi %a, %product : i32
      memref.store %b, %s[%row, %col] : !rows
    }
  }
  %last = memref.load %s[%row, %col] : !rows
  memref.store %last, %x[%row, %col] : memref<16x16xi32>
  return
}
