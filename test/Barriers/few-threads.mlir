// One thread, whose number is one of a few, does a loop alone: wherever it
// accesses, it meets nobody there. In structured form and in blocks.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --arg=0:iota --arg=1:fill:100 --verbose 2>&1 | FileCheck %s --check-prefix=EXECUTED
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --arg=0:iota --arg=1:fill:100 --verbose 2>&1 | FileCheck %s --check-prefix=EXECUTED
// EXECUTED: executed barriers: 1,
// EXECUTED: races: 0

// CHECK-LABEL: func.func @last_adds
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @last_adds(%x: memref<128xf32>, %n: i32) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i32
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  // The largest power of two below n, or 1.
  %power = scf.for %i = %zero to %seven step %one iter_args(%p = %one) -> i32 : i32 {
    %q = arith.shli %one, %i : i32
    %isBelow = arith.cmpi slt, %q, %n : i32
    %next = arith.select %isBelow, %q, %p : i32
    scf.yield %next : i32
  }
  %v = memref.load %x[%tid] : memref<128xf32>
  memref.store %v, %s[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
  %last = arith.subi %power, %one : i32
  %isLast = arith.cmpi eq, %t, %last : i32
  scf.if %isLast {
    %end = scf.while (%k = %power) : (i32) -> i32 {
      %more = arith.cmpi slt, %k, %n : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %a = memref.load %s[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
      %at = arith.index_cast %k : i32 to index
      %b = memref.load %s[%at] : memref<128xf32, #gpu.address_space<workgroup>>
      %sum = arith.addf %a, %b : f32
      memref.store %sum, %s[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
      %next = arith.addi %k, %one : i32
      scf.yield %next : i32
    }
    %all = memref.load %s[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %all, %x[%c0] : memref<128xf32>
  }
  return
}
