// RUN: memspace-test-opt %s -memspace-verify-barriers=subgroup-size=32 -split-input-file -verify-diagnostics

// With one barrier the next iteration of the same workgroup overwrites what this one
// still reads.

#wg = #gpu.address_space<workgroup>
func.func @twice(%x: memref<512xf32>, %y: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<128xf32, #wg>
  // expected-note @below {{in another iteration of this loop}}
  scf.forall (%b) = (0) to (512) step (128) {
    %i = arith.addi %b, %t : index
    %v = memref.load %x[%i] : memref<512xf32>
    // expected-note @below {{the other access}}
    memref.store %v, %m[%t] : memref<128xf32, #wg>
    gpu.barrier
    // expected-error @below {{possible data race (WAR, loop-carried) with 'memref.store'}}
    %w = memref.load %m[%r] : memref<128xf32, #wg>
    memref.store %w, %y[%i] : memref<512xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// As many iterations as only the caller knows, of a grid that is known.

#wg = #gpu.address_space<workgroup>
func.func @unknown_number(%x: memref<512xf32>, %y: memref<512xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<128xf32, #wg>
  // expected-note @below {{in another iteration of this loop}}
  scf.forall (%b) = (0) to (%n) step (128) {
    %i = arith.addi %b, %t : index
    %v = memref.load %x[%i] : memref<512xf32>
    // expected-note @below {{the other access}}
    memref.store %v, %m[%t] : memref<128xf32, #wg>
    gpu.barrier
    // expected-error @below {{possible data race (WAR, loop-carried) with 'memref.store'}}
    %w = memref.load %m[%r] : memref<128xf32, #wg>
    memref.store %w, %y[%i] : memref<512xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// The threads of a forall of threads do not come together.

#wg = #gpu.address_space<workgroup>
func.func @threads() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  // expected-note @below {{the condition here may differ between threads}}
  scf.forall (%t) in (128) {
    // expected-error @below {{barrier that perhaps only some threads of the workgroup reach}}
    gpu.barrier
  } {mapping = [#gpu.thread<x>]}
  return
}
