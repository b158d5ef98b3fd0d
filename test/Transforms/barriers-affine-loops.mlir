// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 | memspace-opt -memspace-verify-barriers=chip=gfx942
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -lower-affine | memspace-opt -memspace-verify-barriers=chip=gfx942
// RUN: memspace-opt %s -lower-affine -memspace-insert-barriers=chip=gfx942 | FileCheck %s --check-prefix=LOWERED

// Each kernel gets the same barriers with the loops of both dialects: written
// on `scf`, or lowered to it in the last run.

#wg = #gpu.address_space<workgroup>

// Constant bounds: one barrier behind the store, and one before it, which the
// first iteration does not need, but the later ones.
// CHECK-LABEL: @constant_scf
// CHECK-NOT: barrier
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.store
// CHECK-NEXT: gpu.barrier{{.*$}}
// CHECK-NOT: barrier
// CHECK: return
func.func @constant_scf(%out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c127 = arith.constant 127 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c127, %t : index
  %a = memref.alloc() : memref<128xf32, #wg>
  scf.for %k = %c0 to %c5 step %c1 {
    memref.store %f1, %a[%t] : memref<128xf32, #wg>
    %v = memref.load %a[%m] : memref<128xf32, #wg>
    memref.store %v, %out[%t] : memref<128xf32>
  }
  return
}

// CHECK-LABEL: @constant_affine
// CHECK-NOT: barrier
// CHECK: affine.for
// CHECK-NEXT: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.store
// CHECK-NEXT: gpu.barrier{{.*$}}
// CHECK-NOT: barrier
// CHECK: return
// LOWERED-LABEL: @constant_affine
// LOWERED-NOT: barrier
// LOWERED: scf.for
// LOWERED-NEXT: gpu.barrier{{.*$}}
// LOWERED-NEXT: memref.store
// LOWERED-NEXT: gpu.barrier{{.*$}}
// LOWERED-NOT: barrier
// LOWERED: return
func.func @constant_affine(%out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c127, %t : index
  %a = memref.alloc() : memref<128xf32, #wg>
  affine.for %k = 0 to 5 {
    memref.store %f1, %a[%t] : memref<128xf32, #wg>
    %v = memref.load %a[%m] : memref<128xf32, #wg>
    memref.store %v, %out[%t] : memref<128xf32>
  }
  return
}

// The loop runs once: nothing is carried.
// CHECK-LABEL: @once_scf
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier{{.*$}}
// CHECK-NOT: barrier
// CHECK: return
func.func @once_scf(%out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c127 = arith.constant 127 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c127, %t : index
  %a = memref.alloc() : memref<128xf32, #wg>
  scf.for %k = %c0 to %c8 step %c8 {
    memref.store %f1, %a[%t] : memref<128xf32, #wg>
    %v = memref.load %a[%m] : memref<128xf32, #wg>
    memref.store %v, %out[%t] : memref<128xf32>
  }
  return
}

// The bounds are not constant, but their distance is.
// CHECK-LABEL: @once_affine
// CHECK: affine.for
// CHECK-NEXT: memref.store
// CHECK-NEXT: gpu.barrier{{.*$}}
// CHECK-NOT: barrier
// CHECK: return
func.func @once_affine(%out: memref<128xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c127, %t : index
  %a = memref.alloc() : memref<128xf32, #wg>
  affine.for %k = affine_map<()[s0] -> (s0 * 2)>()[%n] to affine_map<()[s0] -> (s0 * 2 + 8)>()[%n] step 8 {
    memref.store %f1, %a[%t] : memref<128xf32, #wg>
    %v = memref.load %a[%m] : memref<128xf32, #wg>
    memref.store %v, %out[%t] : memref<128xf32>
  }
  return
}

// Each thread writes places of its own, from its id on, and reads them again.
// CHECK-LABEL: @strided_scf
// CHECK-NOT: barrier
// CHECK: return
func.func @strided_scf(%out: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<512xf32, #wg>
  scf.for %i = %t to %c512 step %c128 {
    memref.store %f1, %a[%i] : memref<512xf32, #wg>
  }
  scf.for %i = %t to %c512 step %c128 {
    %v = memref.load %a[%i] : memref<512xf32, #wg>
    memref.store %v, %out[%i] : memref<512xf32>
  }
  return
}

// CHECK-LABEL: @strided_affine
// CHECK-NOT: barrier
// CHECK: return
// LOWERED-LABEL: @strided_affine
// LOWERED-NOT: barrier
// LOWERED: return
func.func @strided_affine(%out: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<512xf32, #wg>
  affine.for %i = affine_map<(d0) -> (d0)>(%t) to 512 step 128 {
    memref.store %f1, %a[%i] : memref<512xf32, #wg>
  }
  affine.for %i = affine_map<(d0) -> (d0)>(%t) to 512 step 128 {
    %v = memref.load %a[%i] : memref<512xf32, #wg>
    memref.store %v, %out[%i] : memref<512xf32>
  }
  return
}

// A least bound: a tile of 64 elements for each two threads is cut at 100.
// Whatever is read lies below 100, and what is written from 100 on.
// CHECK-LABEL: @least_bound
// CHECK-NOT: barrier
// CHECK: return
// LOWERED-LABEL: @least_bound
// LOWERED-NOT: barrier
// LOWERED: return
func.func @least_bound(%x: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c100 = arith.constant 100 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %p = arith.addi %t, %c100 : index
  %a = memref.alloc() : memref<256xf32, #wg>
  affine.for %k = affine_map<(d0) -> (d0 * 2)>(%t) to min affine_map<(d0) -> (d0 * 2 + 64, 100)>(%t) {
    %v = memref.load %a[%k] : memref<256xf32, #wg>
    memref.store %v, %out[%t] : memref<256xf32>
  }
  memref.store %f1, %a[%p] : memref<256xf32, #wg>
  return
}

// The bound of another one is the opposite: some threads read beyond.
// CHECK-LABEL: @no_least_bound
// CHECK: affine.for
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.store
// CHECK: return
// LOWERED-LABEL: @no_least_bound
// LOWERED: scf.for
// LOWERED: gpu.barrier{{.*$}}
// LOWERED-NEXT: memref.store
// LOWERED: return
func.func @no_least_bound(%x: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c100 = arith.constant 100 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %p = arith.addi %t, %c100 : index
  %a = memref.alloc() : memref<256xf32, #wg>
  affine.for %k = max affine_map<(d0) -> (d0, 64)>(%t) to min affine_map<(d0) -> (d0 + 64, 128)>(%t) {
    %v = memref.load %a[%k] : memref<256xf32, #wg>
    memref.store %v, %out[%t] : memref<256xf32>
  }
  memref.store %f1, %a[%p] : memref<256xf32, #wg>
  return
}

// The halves of the workgroup touch different halves of the buffer.
// CHECK-LABEL: @if_affine
// CHECK-NOT: barrier
// CHECK: return
// LOWERED-LABEL: @if_affine
// LOWERED-NOT: barrier
// LOWERED: return
func.func @if_affine(%out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c63 = arith.constant 63 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<256xf32, #wg>
  affine.if affine_set<(d0) : (d0 - 64 >= 0)>(%t) {
    memref.store %f1, %a[%t] : memref<256xf32, #wg>
  } else {
    %m = arith.subi %c63, %t : index
    %v = memref.load %a[%m] : memref<256xf32, #wg>
    memref.store %v, %out[%t] : memref<128xf32>
  }
  return
}

// Buffers that an affine.for exchanges are two in each iteration.
// CHECK-LABEL: @swapped_affine
// CHECK-NOT: barrier
// CHECK: affine.for
// CHECK-NEXT: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.store
// CHECK-NEXT: memref.load
// CHECK-NOT: barrier
// CHECK: return
// LOWERED-LABEL: @swapped_affine
// LOWERED-NOT: barrier
// LOWERED: scf.for
// LOWERED-NEXT: gpu.barrier{{.*$}}
// LOWERED-NEXT: memref.store
// LOWERED-NEXT: memref.load
// LOWERED-NOT: barrier
// LOWERED: return
func.func @swapped_affine(%out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c127, %t : index
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  %r:2 = affine.for %k = 0 to 8 iter_args(%p = %a, %q = %b) -> (memref<128xf32, #wg>, memref<128xf32, #wg>) {
    memref.store %f1, %p[%t] : memref<128xf32, #wg>
    %v = memref.load %q[%m] : memref<128xf32, #wg>
    memref.store %v, %out[%t] : memref<128xf32>
    affine.yield %q, %p : memref<128xf32, #wg>, memref<128xf32, #wg>
  }
  return
}
