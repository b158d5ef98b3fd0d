// What the pipelines do in one pass is what the passes do one after the other.

// RUN: memspace-opt %s -memspace-map-to-threads=chip=gfx942 -memspace-shrink-private=chip=gfx942 -memspace-pack-workgroup-memory=chip=gfx942 -memspace-insert-barriers=chip=gfx942 -o %t.each
// RUN: memspace-opt %s '-memspace-map-to-threads=chip=gfx942 shrink-private' '-memspace-insert-barriers=chip=gfx942 pack=balanced' -o %t.one
// RUN: diff %t.each %t.one
// RUN: FileCheck %s < %t.one
// RUN: memspace-opt %s -memspace-map-to-threads=chip=gfx942 '-memspace-insert-barriers=chip=gfx942 pack=bytes' | FileCheck %s --check-prefix=BYTES
// RUN: not memspace-opt %s '-memspace-insert-barriers=chip=gfx942 pack=small' 2>&1 | FileCheck %s --check-prefix=OBJECTIVE

// OBJECTIVE: error: unknown objective 'small' of packing; use 'balanced', 'bytes' or 'barriers'

// Two buffers for two barriers.
// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() {{.*}} : memref<1024xi8, #gpu.address_space<workgroup>>
// CHECK: memref.alloca() : memref<1xf32, #gpu.address_space<private>>
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier

// BYTES-LABEL: func.func @kernel
// BYTES: memref.alloc() {{.*}} : memref<512xi8, #gpu.address_space<workgroup>>
// BYTES: memref.alloca() : memref<128xf32, #gpu.address_space<private>>
// BYTES-COUNT-3: gpu.barrier
// BYTES-NOT: gpu.barrier
func.func @kernel(%x: memref<128xf32>, %y: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %p = memref.alloca() : memref<128xf32, #gpu.address_space<private>>
  %a = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %b = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  scf.forall (%t) in (128) {
    %0 = memref.load %x[%t] : memref<128xf32>
    memref.store %0, %p[%t] : memref<128xf32, #gpu.address_space<private>>
    memref.store %0, %a[%t] : memref<128xf32, #gpu.address_space<workgroup>>
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%t) in (128) {
    %r = affine.apply affine_map<(t) -> (127 - t)>(%t)
    %0 = memref.load %a[%r] : memref<128xf32, #gpu.address_space<workgroup>>
    %1 = memref.load %p[%t] : memref<128xf32, #gpu.address_space<private>>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %b[%t] : memref<128xf32, #gpu.address_space<workgroup>>
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%t) in (128) {
    %r = affine.apply affine_map<(t) -> (127 - t)>(%t)
    %0 = memref.load %b[%r] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %0, %y[%t] : memref<128xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}
