// A memref that may be one of several slices of memory, one in each subgroup:
// whichever it is, subgroups are apart, and lanes that touch elements of their
// own are.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 | memspace-opt -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: @exchanged(
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.for
// CHECK:           memspace.subgroup_barrier
// CHECK-NOT:     gpu.barrier
func.func @exchanged(%n: index, %out: memref<256xi32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = gpu.thread_id x
  %v = arith.index_cast %x : index to i32
  %l = affine.apply affine_map<()[s0] -> (s0 mod 64)>()[%x]
  %m = affine.apply affine_map<()[s0] -> (63 - s0 mod 64)>()[%x]
  %by = affine.apply affine_map<()[s0] -> ((s0 floordiv 64) * 256)>()[%x]
  %s = memref.alloc() : memref<1024xi8, #wg>
  %t = memref.alloc() : memref<1024xi8, #wg>
  %a = memref.view %s[%by][] : memref<1024xi8, #wg> to memref<64xi32, #wg>
  %b = memref.view %t[%by][] : memref<1024xi8, #wg> to memref<64xi32, #wg>
  memref.store %v, %a[%l] : memref<64xi32, #wg>
  memref.store %v, %b[%l] : memref<64xi32, #wg>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<64xi32, #wg>, memref<64xi32, #wg>) {
    %w = memref.load %p[%m] : memref<64xi32, #wg>
    memref.store %w, %q[%l] : memref<64xi32, #wg>
    scf.yield %q, %p : memref<64xi32, #wg>, memref<64xi32, #wg>
  }
  %f = memref.load %r#0[%l] : memref<64xi32, #wg>
  memref.store %f, %out[%x] : memref<256xi32>
  return
}

// CHECK-LABEL: @selected(
// CHECK-NOT:     gpu.barrier
// CHECK:         memspace.subgroup_barrier
// CHECK-NOT:     barrier
func.func @selected(%c: i1, %out: memref<256xi32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %x = gpu.thread_id x
  %v = arith.index_cast %x : index to i32
  %l = affine.apply affine_map<()[s0] -> (s0 mod 64)>()[%x]
  %m = affine.apply affine_map<()[s0] -> (63 - s0 mod 64)>()[%x]
  %by = affine.apply affine_map<()[s0] -> ((s0 floordiv 64) * 256)>()[%x]
  %s = memref.alloc() : memref<1024xi8, #wg>
  %t = memref.alloc() : memref<1024xi8, #wg>
  %a = memref.view %s[%by][] : memref<1024xi8, #wg> to memref<64xi32, #wg>
  %b = memref.view %t[%by][] : memref<1024xi8, #wg> to memref<64xi32, #wg>
  %p = arith.select %c, %a, %b : memref<64xi32, #wg>
  memref.store %v, %p[%l] : memref<64xi32, #wg>
  %w = memref.load %p[%l] : memref<64xi32, #wg>
  memref.store %w, %p[%l] : memref<64xi32, #wg>
  %f = memref.load %p[%m] : memref<64xi32, #wg>
  memref.store %f, %out[%x] : memref<256xi32>
  return
}
