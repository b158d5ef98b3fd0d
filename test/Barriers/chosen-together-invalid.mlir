// As chosen-together.mlir, but for one thing that makes it a race.
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-opt %s -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-runner %s --chip=gfx942 --kernel=one_buffer --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=two_conditions --arg=0:random:1 --arg=2:fill:1 --arg=3:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=next_in_loop --arg=0:random:1 --arg=2:fill:2 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: races: {{[1-9]}}

!S = memref<128xi32, #gpu.address_space<workgroup>>
!G = memref<2048xi32>

func.func @one_buffer(%in: !G, %out: !G, %c: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %a = memref.alloc() : !S
  %b = memref.alloc() : !S
  %p = arith.select %c, %a, %b : !S
  %q = arith.select %c, %a, %b : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %p[%x] : !S
  gpu.barrier
  // CHECK: :[[#@LINE+1]]:8: error: possible data race
  %l = memref.load %p[%rv] : !S
  memref.store %l, %q[%x] : !S
  gpu.barrier
  %w = memref.load %q[%rv] : !S
  memref.store %w, %out[%x] : !G
  return
}

// Nobody knows whether the one is the opposite of the other.
func.func @two_conditions(%in: !G, %out: !G, %c: i1, %d: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %a = memref.alloc() : !S
  %b = memref.alloc() : !S
  %p = arith.select %c, %a, %b : !S
  %q = arith.select %d, %a, %b : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %p[%x] : !S
  gpu.barrier
  // CHECK: :[[#@LINE+1]]:8: error: possible data race
  %l = memref.load %p[%rv] : !S
  memref.store %l, %q[%x] : !S
  gpu.barrier
  %w = memref.load %q[%rv] : !S
  memref.store %w, %out[%x] : !G
  return
}

// The condition is another one in each iteration.
func.func @next_in_loop(%in: !G, %out: !G, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %a = memref.alloc() : !S
  %b = memref.alloc() : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %a[%x] : !S
  memref.store %v, %b[%x] : !S
  gpu.barrier
  scf.for %i = %c0 to %n step %c1 {
    %odd = arith.andi %i, %c1 : index
    %c = arith.cmpi eq, %odd, %c1 : index
    %p = arith.select %c, %a, %b : !S
    %q = arith.select %c, %b, %a : !S
    // CHECK: :[[#@LINE+1]]:10: error: possible data race
    %l = memref.load %p[%rv] : !S
    memref.store %l, %q[%x] : !S
  }
  return
}
