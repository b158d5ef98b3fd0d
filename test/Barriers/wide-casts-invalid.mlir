// Numbers of 128 bits are none that the analyses know, but a cast of a cast folds
// to what it was made from, which each thread has for itself. The verifier took
// thread 0's for all, and saw no race where the emulator sees one.
// RUN: memspace-opt %s -memspace-verify-barriers=chip=gfx942 -split-input-file -verify-diagnostics
// RUN: memspace-opt %s -split-input-file -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 | FileCheck %s
// RUN: not memspace-runner %s --chip=gfx942 --kernel=folds_to_the_number 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=folds_to_one_cast 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: race
// RACE: races: 1,

// CHECK-LABEL: @folds_to_the_number
// CHECK:       memref.store
// CHECK-NEXT:  gpu.barrier
func.func @folds_to_the_number(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %z = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %ti = arith.index_cast %t : index to i64
  %wide = arith.extui %ti : i64 to i128
  %narrow = arith.trunci %wide : i128 to i64
  %i = arith.index_cast %narrow : i64 to index
  %r = arith.subi %c63, %t : index
  %j = arith.maxsi %r, %c1 : index
  // expected-error @+1 {{data race (RAW, inside a subgroup) with 'memref.load'}}
  memref.store %z, %b[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  // expected-note @+1 {{the other access}}
  %v = memref.load %b[%j] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %v, %out[%t] : memref<64xf32>
  return
}

// -----

// CHECK-LABEL: @folds_to_one_cast
// CHECK:       memref.store
// CHECK-NEXT:  gpu.barrier
func.func @folds_to_one_cast(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %z = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %ti = arith.index_cast %t : index to i32
  %wide = arith.extui %ti : i32 to i128
  %narrow = arith.trunci %wide : i128 to i16
  %i = arith.index_cast %narrow : i16 to index
  %r = arith.subi %c63, %t : index
  %j = arith.maxsi %r, %c1 : index
  // expected-error @+1 {{data race (RAW, inside a subgroup) with 'memref.load'}}
  memref.store %z, %b[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  // expected-note @+1 {{the other access}}
  %v = memref.load %b[%j] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %v, %out[%t] : memref<64xf32>
  return
}
