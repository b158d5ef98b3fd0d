// A scan to both sides of a double buffer, whose end is an argument: the distance
// is shifted until no 64 bits hold it, where no valid program comes.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t.scf.mlir -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --arg=0:fill:128 --verbose 2>&1 | FileCheck %s --check-prefix=EIGHT
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --arg=0:fill:128 --verbose 2>&1 | FileCheck %s --check-prefix=EIGHT
// EIGHT: executed barriers: 8, subgroup barriers: 0
// EIGHT: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: @scan(
// CHECK:         scf.while
// CHECK:           gpu.barrier
// CHECK-NEXT:      scf.condition
// CHECK-NOT:     gpu.barrier
func.func @scan(%n: index, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #wg>
  memref.store %f, %s[%x] : memref<256xf32, #wg>
  %r:2 = scf.while (%d = %c1, %p = %c0) : (index, index) -> (index, index) {
    %go = arith.cmpi slt, %d, %n : index
    scf.condition(%go) %d, %p : index, index
  } do {
  ^bb0(%d: index, %p: index):
    %q = arith.xori %p, %c1 : index
    %a = arith.muli %p, %c128 : index
    %b = arith.muli %q, %c128 : index
    %i = arith.addi %a, %x : index
    %own = memref.load %s[%i] : memref<256xf32, #wg>
    %c = arith.cmpi sge, %x, %d : index
    %v = scf.if %c -> f32 {
      %j = arith.subi %i, %d : index
      %other = memref.load %s[%j] : memref<256xf32, #wg>
      %sum = arith.addf %own, %other : f32
      scf.yield %sum : f32
    } else {
      scf.yield %own : f32
    }
    %w = arith.addi %b, %x : index
    memref.store %v, %s[%w] : memref<256xf32, #wg>
    %e = arith.shli %d, %c1 : index
    scf.yield %e, %q : index, index
  }
  %a = arith.muli %r#1, %c128 : index
  %y = arith.subi %c127, %x : index
  %i = arith.addi %a, %y : index
  %v = memref.load %s[%i] : memref<256xf32, #wg>
  memref.store %v, %out[%x] : memref<128xf32>
  return
}
