// Where something is added to the remainder, one below zero is a slot, too.
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-opt %s -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-runner %s --chip=gfx942 --kernel=from_below --arg=0:random:1 --arg=2:fill:4 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=narrow_rest --arg=0:fill:0 --arg=1:fill:140 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: races: {{[1-9]}}

!R = memref<8x128xi32, #gpu.address_space<workgroup>>
!G = memref<2048xi32>
!N = memref<256x128xi8, #gpu.address_space<workgroup>>
!B = memref<128xi8>

// What is read is written in the next iteration, with no barrier between.
func.func @from_below(%in: !G, %out: !G, %n: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k3 = arith.constant 3 : i32
  %k4 = arith.constant 4 : i32
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %v = memref.load %in[%x] : !G
  %s = memref.alloc() : !R
  scf.for %i = %k0 to %k4 step %k1 : i32 {
    %j = arith.subi %i, %k3 : i32
    %q32 = arith.remsi %j, %k4 : i32
    %q0 = arith.index_cast %q32 : i32 to index
    %q = arith.addi %q0, %c3 : index
    %l = arith.addi %j, %k1 : i32
    %p32 = arith.remsi %l, %k4 : i32
    %p0 = arith.index_cast %p32 : i32 to index
    %p = arith.addi %p0, %c3 : index
    memref.store %v, %s[%q, %x] : !R
    gpu.barrier
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: {{(possible )?}}data race
    %w = memref.load %s[%p, %rv] : !R
    memref.store %w, %out[%x] : !G
  }
  return
}

// Widened without a sign, a number of 8 bits below zero is a slot.
func.func @narrow_rest(%out: !B, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c253 = arith.constant 253 : index
  %c127 = arith.constant 127 : index
  %k4 = arith.constant 4 : i8
  %v = arith.constant 1 : i8
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %s = memref.alloc() : !N
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.index_cast %i : index to i8
    %q8 = arith.remsi %j, %k4 : i8
    %q = arith.index_castui %q8 : i8 to index
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: {{(possible )?}}data race
    memref.store %v, %s[%q, %x] : !N
    %w = memref.load %s[%c253, %rv] : !N
    memref.store %w, %out[%x] : !B
  }
  return
}
