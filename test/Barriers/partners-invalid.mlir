// As partners.mlir, but for one thing that makes it a race.
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-opt %s -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-runner %s --chip=gfx942 --kernel=some_both --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=high_bits --arg=0:random:1 --arg=2:fill:4294967297 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=two_steps --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: races: {{[1-9]}}

!S = memref<128xi32, #gpu.address_space<workgroup>>
!G = memref<2048xi32>

// With a distance of one both of a pair enter.
func.func @some_both(%in: !G, %out: !G, %j: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %s[%x] : !S
  %p = arith.xori %x, %j : index
  %low = arith.constant 2 : index
  %k0 = arith.constant 0 : index
  %bit = arith.andi %x, %low : index
  %g = arith.cmpi eq, %bit, %k0 : index
  gpu.barrier
  scf.if %g {
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: possible data race
    %a = memref.load %s[%x] : !S
    %b = memref.load %s[%p] : !S
    memref.store %b, %s[%x] : !S
    memref.store %a, %s[%p] : !S
  }
  gpu.barrier
  %w = memref.load %s[%x] : !S
  memref.store %w, %out[%x] : !G
  return
}

// A distance beyond 32 bits: all threads enter, with the places of a smaller one.
func.func @high_bits(%in: !G, %out: !G, %j: i64) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %s[%x] : !S
  %x64 = arith.index_cast %x : index to i64
  %p64 = arith.xori %x64, %j : i64
  %g = arith.cmpi ugt, %p64, %x64 : i64
  %p32 = arith.trunci %p64 : i64 to i32
  %p = arith.index_cast %p32 : i32 to index
  gpu.barrier
  scf.if %g {
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: possible data race
    %a = memref.load %s[%x] : !S
    %b = memref.load %s[%p] : !S
    memref.store %b, %s[%x] : !S
    memref.store %a, %s[%p] : !S
  }
  gpu.barrier
  %w = memref.load %s[%x] : !S
  memref.store %w, %out[%x] : !G
  return
}

// Another distance in each iteration.
func.func @two_steps(%in: !G, %out: !G, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %s[%x] : !S
  gpu.barrier
  scf.for %i = %c0 to %c3 step %c1 {
    %j = arith.addi %n, %i : index
    %p = arith.xori %x, %j : index
    %g = arith.cmpi ugt, %p, %x : index
    scf.if %g {
      // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: possible data race
      %a = memref.load %s[%x] : !S
      %b = memref.load %s[%p] : !S
      memref.store %b, %s[%x] : !S
      memref.store %a, %s[%p] : !S
    }
  }
  return
}
