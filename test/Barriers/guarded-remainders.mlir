// The places of the threads under a guard are calculated one by one, without
// those that it keeps away, in all iterations of a loop with few: a fourth part
// of the 400 pairs has a column, and those of one column are in one subgroup.
// From 400 on they would meet those from 0 on.
// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-verify-barriers=chip=gfx942

!shared = memref<8x100xf32, #gpu.address_space<workgroup>>

func.func @guarded(%out: memref<512xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c100 = arith.constant 100 : index
  %c256 = arith.constant 256 : index
  %c400 = arith.constant 400 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %a = memref.alloc() : !shared
  scf.for %i = %c0 to %c2 step %c1 {
    %base = arith.muli %i, %c256 : index
    %p = arith.addi %base, %tid : index
    %quarter = arith.divui %p, %c4 : index
    %column = arith.remui %quarter, %c100 : index
    %row = arith.remui %p, %c4 : index
    %even = arith.muli %row, %c2 : index
    %odd = arith.addi %even, %c1 : index
    %guard = arith.cmpi slt, %p, %c400 : index
    scf.if %guard {
      memref.store %zero, %a[%odd, %column] : !shared
    }
  }
  memspace.subgroup_barrier
  scf.for %i = %c0 to %c2 step %c1 {
    %base = arith.muli %i, %c256 : index
    %p = arith.addi %base, %tid : index
    %quarter = arith.divui %p, %c4 : index
    %column = arith.remui %quarter, %c100 : index
    %row = arith.remui %p, %c4 : index
    %inPair = arith.remui %row, %c2 : index
    %begin = arith.subi %row, %inPair : index
    %end = arith.addi %begin, %c5 : index
    %mirrored = arith.subi %end, %inPair : index
    %guard = arith.cmpi slt, %p, %c400 : index
    scf.if %guard {
      %v = memref.load %a[%mirrored, %column] : !shared
      memref.store %v, %out[%p] : memref<512xf32>
    }
  }
  return
}

// -----

// One pair more than the columns have.

!shared = memref<8x100xf32, #gpu.address_space<workgroup>>

func.func @guarded_too_late(%out: memref<512xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c100 = arith.constant 100 : index
  %c256 = arith.constant 256 : index
  %c400 = arith.constant 400 : index
  %c401 = arith.constant 401 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %a = memref.alloc() : !shared
  scf.for %i = %c0 to %c2 step %c1 {
    %base = arith.muli %i, %c256 : index
    %p = arith.addi %base, %tid : index
    %quarter = arith.divui %p, %c4 : index
    %column = arith.remui %quarter, %c100 : index
    %row = arith.remui %p, %c4 : index
    %even = arith.muli %row, %c2 : index
    %odd = arith.addi %even, %c1 : index
    %guard = arith.cmpi slt, %p, %c400 : index
    scf.if %guard {
      // expected-error @+1 {{data race (RAW) with 'memref.load'}}
      memref.store %zero, %a[%odd, %column] : !shared
    }
  }
  memspace.subgroup_barrier
  scf.for %i = %c0 to %c2 step %c1 {
    %base = arith.muli %i, %c256 : index
    %p = arith.addi %base, %tid : index
    %quarter = arith.divui %p, %c4 : index
    %column = arith.remui %quarter, %c100 : index
    %row = arith.remui %p, %c4 : index
    %inPair = arith.remui %row, %c2 : index
    %begin = arith.subi %row, %inPair : index
    %end = arith.addi %begin, %c5 : index
    %mirrored = arith.subi %end, %inPair : index
    %guard = arith.cmpi slt, %p, %c401 : index
    scf.if %guard {
      // expected-note @+1 {{the other access}}
      %v = memref.load %a[%mirrored, %column] : !shared
      memref.store %v, %out[%p] : memref<512xf32>
    }
  }
  return
}

// -----

// The threads of another iteration, and of another subgroup.

!shared = memref<8x100xf32, #gpu.address_space<workgroup>>

func.func @another_iteration(%out: memref<512xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c100 = arith.constant 100 : index
  %c256 = arith.constant 256 : index
  %c399 = arith.constant 399 : index
  %c400 = arith.constant 400 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %a = memref.alloc() : !shared
  scf.for %i = %c0 to %c2 step %c1 {
    %base = arith.muli %i, %c256 : index
    %p = arith.addi %base, %tid : index
    %quarter = arith.divui %p, %c4 : index
    %column = arith.remui %quarter, %c100 : index
    %row = arith.remui %p, %c4 : index
    %even = arith.muli %row, %c2 : index
    %odd = arith.addi %even, %c1 : index
    %guard = arith.cmpi slt, %p, %c400 : index
    scf.if %guard {
      // expected-error @+1 {{data race (RAW) with 'memref.load'}}
      memref.store %zero, %a[%odd, %column] : !shared
    }
  }
  memspace.subgroup_barrier
  scf.for %i = %c0 to %c2 step %c1 {
    %base = arith.muli %i, %c256 : index
    %p = arith.addi %base, %tid : index
    %mirror = arith.subi %c399, %p : index
    %quarter = arith.divui %mirror, %c4 : index
    %column = arith.remui %quarter, %c100 : index
    %row = arith.remui %mirror, %c4 : index
    %inPair = arith.remui %row, %c2 : index
    %begin = arith.subi %row, %inPair : index
    %end = arith.addi %begin, %c5 : index
    %mirrored = arith.subi %end, %inPair : index
    %guard = arith.cmpi slt, %p, %c400 : index
    scf.if %guard {
      // expected-note @+1 {{the other access}}
      %v = memref.load %a[%mirrored, %column] : !shared
      memref.store %v, %out[%p] : memref<512xf32>
    }
  }
  return
}
