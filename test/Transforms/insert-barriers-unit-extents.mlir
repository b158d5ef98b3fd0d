// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 | FileCheck %s

// A buffer of one row, of which the length is not known: there is nowhere to step along an
// extent of 1, so that each thread has its own element. Needs no barrier.
// CHECK-LABEL: func.func @k(
// CHECK-NOT: gpu.barrier
// CHECK-NOT: memspace.subgroup_barrier
// CHECK: return
#wg = #gpu.address_space<workgroup>
func.func @k(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %alloc = memref.alloc() : memref<16xi8, #wg>
  %m = affine.min affine_map<()[s0] -> (s0, 4)>()[%n]
  %view = memref.view %alloc[%c0][%m] : memref<16xi8, #wg> to memref<1x?xf32, #wg>
  %t = gpu.thread_id x
  %g = arith.cmpi slt, %t, %m : index
  scf.if %g {
    %s = memref.subview %view[0, %t] [1, 1] [1, 1] : memref<1x?xf32, #wg> to memref<1x1xf32, strided<[?, 1], offset: ?>, #wg>
    scf.for %i = %c0 to %c1 step %c1 {
      scf.for %j = %c0 to %c1 step %c1 {
        memref.store %f, %s[%i, %j] : memref<1x1xf32, strided<[?, 1], offset: ?>, #wg>
      }
    }
  }
  scf.if %g {
    %s = memref.subview %view[0, %t] [1, 1] [1, 1] : memref<1x?xf32, #wg> to memref<1x1xf32, strided<[?, 1], offset: ?>, #wg>
    scf.for %i = %c0 to %c1 step %c1 {
      scf.for %j = %c0 to %c1 step %c1 {
        %v = memref.load %s[%i, %j] : memref<1x1xf32, strided<[?, 1], offset: ?>, #wg>
        memref.store %v, %out[%t] : memref<64xf32>
      }
    }
  }
  return
}
