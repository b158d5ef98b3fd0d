// Numbers of 32 bits that may wrap: what a thread adds to a multiple of a power
// of two is known all the same, and so is by how much two iterations are apart.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.blocks.mlir
// RUN: FileCheck %s < %t.blocks.mlir
// RUN: memspace-opt %t.blocks.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t.blocks.mlir -memspace-verify-barriers="chip=gfx942 ask-each-pair" -o /dev/null
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=own_areas --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=slots_of_while --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

!S = memref<2x128xi32, #gpu.address_space<workgroup>>
!A = memref<1024xi32, #gpu.address_space<workgroup>>

// Rows of threads: the same thread in each iteration.
// CHECK-LABEL: @rows_of_threads(
// CHECK-NOT: gpu.barrier
func.func @rows_of_threads(%in: memref<2048xi32>, %out: memref<2048xi32>, %n: i32) attributes {gpu.known_block_size = array<i32: 64, 4, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k64 = arith.constant 64 : i32
  %k256 = arith.constant 256 : i32
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %xi = arith.index_cast %x : index to i32
  %yi = arith.index_cast %y : index to i32
  scf.for %i = %k0 to %n step %k1 : i32 {
    %a = arith.muli %i, %k256 : i32
    %b = arith.muli %yi, %k64 : i32
    %c = arith.addi %a, %b : i32
    %d = arith.addi %c, %xi : i32
    %e = arith.index_cast %d : i32 to index
    %v = memref.load %in[%e] : memref<2048xi32>
    memref.store %v, %out[%e] : memref<2048xi32>
  }
  return
}

// CHECK-LABEL: @rows_in_rows(
// CHECK-NOT: gpu.barrier
func.func @rows_in_rows(%in: memref<256x32xi32>, %out: memref<256x32xi32>, %n: i32) attributes {gpu.known_block_size = array<i32: 32, 8, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k8 = arith.constant 8 : i32
  %k32 = arith.constant 32 : i32
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %yi = arith.index_cast %y : index to i32
  scf.for %i = %k0 to %n step %k1 : i32 {
    scf.for %j = %k0 to %k32 step %k8 : i32 {
      %a = arith.muli %i, %k32 : i32
      %c = arith.addi %a, %yi : i32
      %d = arith.addi %c, %j : i32
      %e = arith.index_cast %d : i32 to index
      %v = memref.load %in[%e, %x] : memref<256x32xi32>
      memref.store %v, %out[%e, %x] : memref<256x32xi32>
    }
  }
  return
}

// CHECK-LABEL: @one_of_two_ids(
// CHECK-NOT: gpu.barrier
func.func @one_of_two_ids(%in: memref<256x32xi32>, %out: memref<256x32xi32>, %n: i32) attributes {gpu.known_block_size = array<i32: 32, 8, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k8 = arith.constant 8 : i32
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %yi = arith.index_cast %y : index to i32
  scf.for %i = %k0 to %n step %k1 : i32 {
      %a = arith.muli %i, %k8 : i32
      %d = arith.addi %a, %yi : i32
      %e = arith.index_cast %d : i32 to index
      %v = memref.load %in[%e, %x] : memref<256x32xi32>
      memref.store %v, %out[%e, %x] : memref<256x32xi32>
  }
  return
}

// Between what is written and read there is one, and none before the next area.
// CHECK-LABEL: @own_areas(
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @own_areas(%in: memref<2048xi32>, %out: memref<2048xi32>, %n: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k127 = arith.constant 127 : i32
  %k128 = arith.constant 128 : i32
  %x = gpu.thread_id x
  %xi = arith.index_cast %x : index to i32
  %rv = arith.subi %k127, %xi : i32
  %s = memref.alloc() : !A
  scf.for %i = %k0 to %n step %k1 : i32 {
    %b = arith.muli %i, %k128 : i32
    %w = arith.addi %b, %xi : i32
    %wi = arith.index_cast %w : i32 to index
    %r = arith.addi %b, %rv : i32
    %ri = arith.index_cast %r : i32 to index
    %v = memref.load %in[%wi] : memref<2048xi32>
    memref.store %v, %s[%wi] : !A
    %l = memref.load %s[%ri] : !A
    memref.store %l, %out[%wi] : memref<2048xi32>
  }
  return
}

// A counter below its end does not wrap where it goes on.
// CHECK-LABEL: @slots_of_while(
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @slots_of_while(%in: memref<2048xi32>, %out: memref<2048xi32>, %n: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k2 = arith.constant 2 : i32
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %s = memref.alloc() : !S
  %r = scf.while (%i = %k0) : (i32) -> i32 {
    %g = arith.cmpi slt, %i, %n : i32
    scf.condition(%g) %i : i32
  } do {
  ^bb0(%i: i32):
    %p32 = arith.remsi %i, %k2 : i32
    %p = arith.index_cast %p32 : i32 to index
    %ii = arith.index_cast %i : i32 to index
    %b = arith.muli %ii, %c128 : index
    %a = arith.addi %b, %x : index
    %v = memref.load %in[%a] : memref<2048xi32>
    memref.store %v, %s[%p, %x] : !S
    %w = memref.load %s[%p, %rv] : !S
    memref.store %w, %out[%a] : memref<2048xi32>
    %i1 = arith.addi %i, %k1 : i32
    scf.yield %i1 : i32
  }
  return
}

// CHECK-LABEL: @slots_of_for(
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @slots_of_for(%in: memref<2048xi32>, %out: memref<2048xi32>, %n: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k2 = arith.constant 2 : i32
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %s = memref.alloc() : !S
  scf.for %i = %k0 to %n step %k1 : i32 {
    %p32 = arith.remsi %i, %k2 : i32
    %p = arith.index_cast %p32 : i32 to index
    %ii = arith.index_cast %i : i32 to index
    %b = arith.muli %ii, %c128 : index
    %a = arith.addi %b, %x : index
    %v = memref.load %in[%a] : memref<2048xi32>
    memref.store %v, %s[%p, %x] : !S
    %w = memref.load %s[%p, %rv] : !S
    memref.store %w, %out[%a] : memref<2048xi32>
  }
  return
}
