// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-runner %s --chip=gfx942 --kernel=wraps_onto_others --arg=0:fill:40 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: data race in workgroup memory

!shared = memref<4096xf32, #gpu.address_space<workgroup>>

// A step that no large power of two divides: a counter that has become too large may
// be where another thread is.
func.func @may_wrap(%n: i32) attributes {
    gpu.known_block_size = array<i32: 96, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %step = arith.constant 96 : i32
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i32
  %s = memref.alloc() : !shared
  %end = scf.while (%i = %t) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %at = arith.index_cast %i : i32 to index
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: possible data race (WAW
    memref.store %zero, %s[%at] : !shared
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  return
}

// It was promised that it does not.
func.func @does_not(%n: i32) attributes {
    gpu.known_block_size = array<i32: 96, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %step = arith.constant 96 : i32
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i32
  %s = memref.alloc() : !shared
  %end = scf.while (%i = %t) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %at = arith.index_cast %i : i32 to index
    // CHECK-NOT: :[[@LINE+1]]:{{[0-9]+}}: error
    memref.store %zero, %s[%at] : !shared
    %next = arith.addi %i, %step overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// Here it is where another thread was, and the emulator finds them there.
func.func @wraps_onto_others(%n: index) attributes {
    gpu.known_block_size = array<i32: 24, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c255 = arith.constant 255 : index
  %step = arith.constant 24 : i8
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i8
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%i = %t) -> i8 {
    %number = arith.index_cast %i : i8 to index
    %at = arith.andi %number, %c255 : index
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: possible data race (WAW, loop-carried
    memref.store %zero, %s[%at] : memref<256xf32, #gpu.address_space<workgroup>>
    %next = arith.addi %i, %step : i8
    scf.yield %next : i8
  }
  return
}
