// Indices that are equal as sums, but are computed from different values. What is known
// of a value that cancels holds for that access only.

// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 | memspace-opt -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 | memspace-runner - --chip=gfx942 --kernel=loop_never_entered --arg=0:fill:1 --arg=1:iota | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 | memspace-runner - --chip=gfx942 --kernel=loop_of_some --arg=0:iota | FileCheck %s --check-prefix=CLEAN
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0,

// The load has the index of the store, plus nothing for an induction variable of
// which the loop has no iteration: there the load meets nobody. The store does.
// CHECK-LABEL: @loop_never_entered
// CHECK: scf.for
// CHECK:   gpu.barrier
// CHECK:   linalg.copy
// CHECK:   gpu.barrier
// CHECK:   memref.store {{.*}}#gpu.address_space<workgroup>>
func.func @loop_never_entered(%n: index, %in: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 8, 8, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %from = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %to = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %c8 = arith.constant 8 : index
  %row = arith.muli %ty, %c8 : index
  %t = arith.addi %tx, %row : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %few = arith.andi %n, %c3 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %isFirst = arith.cmpi eq, %t, %c0 : index
    scf.if %isFirst {
      linalg.copy ins(%from : memref<64xi32, #gpu.address_space<workgroup>>) outs(%to : memref<64xi32, #gpu.address_space<workgroup>>)
    }
    %sum = arith.addi %i, %few : index
    %fours = arith.muli %sum, %c4 : index
    %none = arith.andi %fours, %c3 : index
    scf.for %j = %c0 to %none step %c1 {
      %nothing = arith.remui %j, %c1 : index
      %place = arith.addi %t, %nothing : index
      %x = memref.load %to[%place] : memref<64xi32, #gpu.address_space<workgroup>>
    }
    %y = memref.load %in[%t] : memref<128xi32>
    memref.store %y, %to[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  }
  return
}

// The first thread does not enter the loop, so that it reads nothing there; it does
// write after it.
// CHECK-LABEL: @loop_of_some
// CHECK: linalg.fill
// CHECK: gpu.barrier
// CHECK: memref.store {{.*}}#gpu.address_space<workgroup>>
func.func @loop_of_some(%in: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %to = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0 : i32
  %isLast = arith.cmpi eq, %t, %c63 : index
  scf.if %isLast {
    %first = memref.subview %to[0] [1] [1] : memref<64xi32, #gpu.address_space<workgroup>> to memref<1xi32, strided<[1]>, #gpu.address_space<workgroup>>
    linalg.fill ins(%zero : i32) outs(%first : memref<1xi32, strided<[1]>, #gpu.address_space<workgroup>>)
  }
  scf.for %j = %c0 to %t step %c1 {
    %nothing = arith.remui %j, %c1 : index
    %place = arith.addi %t, %nothing : index
    %y = memref.load %in[%place] : memref<128xi32>
    memref.store %y, %to[%place] : memref<64xi32, #gpu.address_space<workgroup>>
  }
  %z = memref.load %in[%t] : memref<128xi32>
  memref.store %z, %to[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  return
}
