// What the counter of a short loop lets through a guard is executed: how often a
// barrier there is executed is no guess, though the loop carries nothing.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=first_iteration --verbose 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=first_iteration --verbose 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=unrolled_by_two --verbose 2>&1 | FileCheck %s --check-prefix=UNROLLED
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=unrolled_by_two --verbose 2>&1 | FileCheck %s --check-prefix=UNROLLED
// FIRST: executed barriers: 1,
// UNROLLED: executed barriers: 7,
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=cast_of_cast --verbose 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=cast_of_cast --verbose 2>&1 | FileCheck %s --check-prefix=CAST
// CAST: executed barriers: 12,
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=inner_runs_once --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=inner_runs_once --verbose 2>&1 | FileCheck %s --check-prefix=ONCE
// ONCE: executed barriers: 1,
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=both_counters --verbose 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=both_counters --verbose 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: executed barriers: 3,

#wg = #gpu.address_space<workgroup>

// The first iteration stores what all others load: one barrier, in the first.
// CHECK-LABEL: @first_iteration
// CHECK:       scf.for
// CHECK:         scf.if
// CHECK:           memref.store
// CHECK:           gpu.barrier
// CHECK:         } else {
// CHECK-NOT:       gpu.barrier
// CHECK:       return
func.func @first_iteration(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %z = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %rv = arith.subi %c63, %t : index
  scf.for %i = %c0 to %c8 step %c1 {
    %e = arith.cmpi eq, %i, %c0 : index
    scf.if %e {
      memref.store %z, %b[%t] : memref<64xf32, #wg>
    } else {
      %v = memref.load %b[%rv] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<64xf32>
    }
  }
  return
}

// The last one has no second half: four exchanges of one tile and three of the
// other, each of which orders the next one, too.
// CHECK-LABEL: @unrolled_by_two
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT:   gpu.barrier
// CHECK:       return
func.func @unrolled_by_two(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %z = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  %rv = arith.subi %c63, %t : index
  scf.for %i = %c0 to %c7 step %c2 {
    memref.store %z, %a[%t] : memref<64xf32, #wg>
    %v = memref.load %a[%rv] : memref<64xf32, #wg>
    memref.store %v, %out[%t] : memref<64xf32>
    %i1 = arith.addi %i, %c1 : index
    %g = arith.cmpi slt, %i1, %c7 : index
    scf.if %g {
      memref.store %z, %b[%t] : memref<64xf32, #wg>
      %w = memref.load %b[%rv] : memref<64xf32, #wg>
      memref.store %w, %out[%t] : memref<64xf32>
    }
  }
  return
}

// Folding makes one cast of two, of which the verifier knows the number, too.
// CHECK-LABEL: @cast_of_cast
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT:   gpu.barrier
// CHECK:       return
func.func @cast_of_cast(%out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c12 = arith.constant 12 : i8
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %z = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  %rv = arith.subi %c127, %t : index
  scf.for %j = %c0 to %c12 step %c1 : i8 {
    %x70 = arith.extui %j : i8 to i32
    %o = arith.trunci %x70 : i32 to i1
    %p = arith.select %o, %a, %b : memref<128xf32, #wg>
    memref.store %z, %p[%t] : memref<128xf32, #wg>
    %v = memref.load %p[%rv] : memref<128xf32, #wg>
    memref.store %v, %out[%t] : memref<128xf32>
  }
  return
}

// How often the inner loop runs hangs on the outer counter: once, altogether.
// CHECK-LABEL: @inner_runs_once
// CHECK:       scf.for
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK-NEXT:      gpu.barrier
// CHECK-NOT:   gpu.barrier
// CHECK:       return
func.func @inner_runs_once(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %z = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %rv = arith.subi %c63, %t : index
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %i to %c1 step %c1 {
      memref.store %z, %b[%t] : memref<64xf32, #wg>
    }
    %v = memref.load %b[%rv] : memref<64xf32, #wg>
    memref.store %v, %out[%t] : memref<64xf32>
  }
  return
}

// A guard on the counter of each of two loops in each other: one barrier before
// the first load, and two around the one store that comes between loads.
// CHECK-LABEL: @both_counters
func.func @both_counters(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %z = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32, #wg>
  %rv = arith.subi %c63, %t : index
  memref.store %z, %a[%t] : memref<64xf32, #wg>
  scf.for %i = %c0 to %c8 step %c1 {
    %e = arith.cmpi eq, %i, %c3 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %f = arith.cmpi eq, %j, %c3 : index
      scf.if %f {
        scf.if %e {
          memref.store %z, %a[%t] : memref<64xf32, #wg>
        }
        %v = memref.load %a[%rv] : memref<64xf32, #wg>
        memref.store %v, %out[%t] : memref<64xf32>
      }
    }
  }
  return
}
