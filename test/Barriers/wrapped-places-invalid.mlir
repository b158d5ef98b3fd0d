// What wrapped-places.mlir accepts, but for one number that makes it a race, is
// refused as loops and as blocks.
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-opt %s -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-runner %s --chip=gfx942 --kernel=rows_of_threads --arg=0:random:1 --arg=2:fill:3 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=areas_overlap --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=slots_of_while --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: races: {{[1-9]}}

!S = memref<2x128xi32, #gpu.address_space<workgroup>>
!A = memref<1024xi32, #gpu.address_space<workgroup>>

// Eight rows of 64 every 256 elements.
func.func @rows_of_threads(%in: memref<2048xi32>, %out: memref<2048xi32>, %n: i32) attributes {gpu.known_block_size = array<i32: 64, 8, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
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
    // CHECK: :[[#@LINE+1]]:5: error: {{(possible )?}}data race (WAW
    memref.store %v, %out[%e] : memref<2048xi32>
  }
  return
}

// Areas of 128 every 64 elements.
func.func @areas_overlap(%in: memref<2048xi32>, %out: memref<2048xi32>, %n: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k127 = arith.constant 127 : i32
  %k128 = arith.constant 64 : i32
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
    gpu.barrier
    // CHECK: :[[#@LINE+1]]:10: error: {{(possible )?}}data race
    %l = memref.load %s[%ri] : !A
    memref.store %l, %out[%wi] : memref<2048xi32>
  }
  return
}

// Every other iteration has one slot.
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
    gpu.barrier
    // CHECK: :[[#@LINE+1]]:10: error: {{(possible )?}}data race
    %w = memref.load %s[%p, %rv] : !S
    memref.store %w, %out[%a] : memref<2048xi32>
    %i1 = arith.addi %i, %k2 : i32
    scf.yield %i1 : i32
  }
  return
}
