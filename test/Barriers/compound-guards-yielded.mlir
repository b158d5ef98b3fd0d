// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=yielded --arg=0:random:7 --verbose 2>&1 | FileCheck %s --check-prefix=EXEC
// EXEC: executed barriers: 2, subgroup barriers: 7,
// EXEC: races: 0

!shared = memref<256xf32, #gpu.address_space<workgroup>>

// `&&` as C has it: the second condition is asked where the first one holds.
// CHECK-LABEL: func.func @yielded
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @yielded(%x: memref<128xf32>) attributes {
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
    %isBelow = arith.cmpi slt, %tid, %i : index
    %adds = scf.if %isBelow -> i1 {
      %v = memref.load %x[%tid] : memref<128xf32>
      %isPositive = arith.cmpf ogt, %v, %zero : f32
      scf.yield %isPositive : i1
    } else {
      scf.yield %false : i1
    }
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
