// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 | FileCheck %s

#wg = #gpu.address_space<workgroup>

// In the first iteration of the loop the store meets a load of the same subgroup;
// that the later ones meet none at all is known only of them.
// CHECK-LABEL: @strided_after
// CHECK: memref.load
// CHECK: memspace.subgroup_barrier{{.*$}}
// CHECK-NEXT: scf.for
func.func @strided_after(%out: memref<512xf16>, %v: f16) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c18 = arith.constant 18 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<32x8xf16, #wg>
  %x = arith.xori %t, %c18 : index
  %r = memref.reinterpret_cast %a to offset: [0], sizes: [256], strides: [1] : memref<32x8xf16, #wg> to memref<256xf16, strided<[1]>, #wg>
  %w = memref.load %r[%x] : memref<256xf16, strided<[1]>, #wg>
  memref.store %w, %out[%t] : memref<512xf16>
  scf.for %i = %t to %c256 step %c128 {
    %q = arith.divui %i, %c8 : index
    %s = arith.remui %i, %c8 : index
    memref.store %v, %a[%q, %s] : memref<32x8xf16, #wg>
  }
  return
}
