// Threads that carry a place, and are in iterations of their own: they may meet.
// RUN: memspace-opt %s -split-input-file -verify-diagnostics=only-expected -memspace-verify-barriers=chip=gfx942 -o /dev/null

#wg = #gpu.address_space<workgroup>

// Each runs as often as its id says: thread 0 stores first where thread 3 does in
// iteration 63.
func.func @own_iterations(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  // expected-note@+1 {{in another iteration of this loop}}
  %end = scf.for %i = %t to %c64 step %c1 iter_args(%p = %t) -> (index) {
    %place = arith.remui %p, %c64 : index
    // expected-error@+1 {{possible data race (WAW}}
    memref.store %f, %b[%place] : memref<64xf32, #wg>
    %next = arith.addi %p, %c1 : index
    scf.yield %next : index
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Each moves on by its own step.
func.func @own_steps(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t) -> (index) {
    %place = arith.remui %p, %c64 : index
    gpu.barrier
    // expected-error@+1 {{possible data race (WAW}}
    memref.store %f, %b[%place] : memref<64xf32, #wg>
    %next = arith.addi %p, %t : index
    scf.yield %next : index
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 64 threads do not stay apart modulo 48.
func.func @other_modulus(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c48 = arith.constant 48 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t) -> (index) {
    %place = arith.remui %p, %c48 : index
    gpu.barrier
    // expected-error@+1 {{data race (WAW}}
    memref.store %f, %b[%place] : memref<64xf32, #wg>
    %next = arith.addi %p, %c3 : index
    scf.yield %next : index
  }
  return
}
