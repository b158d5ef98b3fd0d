// A place that each thread carries and moves on by a constant: in one iteration all
// have moved on equally often, so that they stay apart modulo their number.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=remainder --arg=0:fill:5 --verbose 2>&1 | FileCheck %s
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=remainder --arg=0:fill:5 --verbose 2>&1 | FileCheck %s
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=mask_i32 --arg=0:fill:5 --verbose 2>&1 | FileCheck %s
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=mask_i32 --arg=0:fill:5 --verbose 2>&1 | FileCheck %s
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=of_while --arg=0:fill:5 --verbose 2>&1 | FileCheck %s
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=of_while --arg=0:fill:5 --verbose 2>&1 | FileCheck %s
// CHECK: executed barriers: 5, subgroup barriers: 0

#wg = #gpu.address_space<workgroup>

func.func @remainder(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t) -> (index) {
    %place = arith.remui %p, %c64 : index
    memref.store %f, %b[%place] : memref<64xf32, #wg>
    %next = arith.addi %p, %c3 : index
    scf.yield %next : index
  }
  %v = memref.load %b[%t] : memref<64xf32, #wg>
  memref.store %v, %out[%t] : memref<64xf32>
  return
}

// Of 32 bits, which may wrap: by a multiple of 64.
func.func @mask_i32(%n: i32, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c63 = arith.constant 63 : i32
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %id = arith.index_cast %t : index to i32
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %id) -> (i32) : i32 {
    %masked = arith.andi %p, %c63 : i32
    %place = arith.index_cast %masked : i32 to index
    memref.store %f, %b[%place] : memref<64xf32, #wg>
    %next = arith.addi %p, %c3 : i32
    scf.yield %next : i32
  }
  %v = memref.load %b[%t] : memref<64xf32, #wg>
  memref.store %v, %out[%t] : memref<64xf32>
  return
}

func.func @of_while(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %end:2 = scf.while (%i = %c0, %p = %t) : (index, index) -> (index, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %p : index, index
  } do {
  ^bb0(%i: index, %p: index):
    %place = arith.remui %p, %c64 : index
    memref.store %f, %b[%place] : memref<64xf32, #wg>
    %next = arith.addi %p, %c3 : index
    %k = arith.addi %i, %c1 : index
    scf.yield %k, %next : index, index
  }
  %v = memref.load %b[%t] : memref<64xf32, #wg>
  memref.store %v, %out[%t] : memref<64xf32>
  return
}
