// Two views of one double buffer, of other shapes: the slots are apart by both.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=collapsed --arg=0:fill:6 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=collapsed --arg=0:fill:6 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=expanded --arg=0:fill:6 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=expanded --arg=0:fill:6 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// SIX: executed barriers: 6, subgroup barriers: 0

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: @collapsed(
// CHECK:         memref.store
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    %{{.*}} = memref.load
// CHECK-NOT:     gpu.barrier
func.func @collapsed(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %f = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %x = gpu.thread_id x
  %r = arith.subi %c127, %x : index
  %hi = arith.divui %r, %c16 : index
  %lo = arith.remui %r, %c16 : index
  %s = memref.alloc() : memref<2x8x16xf32, #wg>
  %c = memref.collapse_shape %s [[0, 1, 2]] : memref<2x8x16xf32, #wg> into memref<256xf32, #wg>
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%p = %c0) -> index {
    %o = arith.muli %p, %c128 : index
    %w = arith.addi %o, %x : index
    memref.store %f, %c[%w] : memref<256xf32, #wg>
    %v = memref.load %s[%p, %hi, %lo] : memref<2x8x16xf32, #wg>
    %q = arith.xori %p, %c1 : index
    scf.yield %q : index
  }
  return
}

// CHECK-LABEL: @expanded(
// CHECK:         memref.store
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    %{{.*}} = memref.load
// CHECK-NOT:     gpu.barrier
func.func @expanded(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %f = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %x = gpu.thread_id x
  %r = arith.subi %c127, %x : index
  %hi = arith.divui %r, %c16 : index
  %lo = arith.remui %r, %c16 : index
  %s = memref.alloc() : memref<256xf32, #wg>
  %c = memref.expand_shape %s [[0, 1, 2]] output_shape [2, 8, 16] : memref<256xf32, #wg> into memref<2x8x16xf32, #wg>
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%p = %c0) -> index {
    %o = arith.muli %p, %c128 : index
    %w = arith.addi %o, %x : index
    memref.store %f, %s[%w] : memref<256xf32, #wg>
    %v = memref.load %c[%p, %hi, %lo] : memref<2x8x16xf32, #wg>
    %q = arith.xori %p, %c1 : index
    scf.yield %q : index
  }
  return
}
