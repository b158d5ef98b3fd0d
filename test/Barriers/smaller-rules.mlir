// Guards joined by `or`, masks, slots modulo a power of two in loops without
// known bounds, and what is left of a guard that is split.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: memspace-opt %t -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t -canonicalize -cse -memspace-verify-barriers=chip=gfx942 -o /dev/null

!shared = memref<128xf32, #gpu.address_space<workgroup>>

// The first and the last quarter of the threads write where the others do not
// read.
// CHECK-LABEL: func.func @either
// CHECK-NOT: barrier
// CHECK: return
func.func @either(%out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %c127 = arith.constant 127 : index
  %true = arith.constant true
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %low = arith.cmpi ult, %tid, %c32 : index
  %high = arith.cmpi uge, %tid, %c96 : index
  %outside = arith.ori %low, %high : i1
  scf.if %outside {
    memref.store %zero, %a[%rev] : !shared
  }
  %inside = arith.xori %outside, %true : i1
  scf.if %inside {
    %v = memref.load %a[%tid] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
  }
  return
}

// One of the writers writes what another thread reads.
// CHECK-LABEL: func.func @overlapping
// CHECK: gpu.barrier
// CHECK-NOT: barrier
// CHECK: return
func.func @overlapping(%out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c32 = arith.constant 32 : index
  %c95 = arith.constant 95 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %low = arith.cmpi ult, %tid, %c32 : index
  %high = arith.cmpi uge, %tid, %c95 : index
  %outside = arith.ori %low, %high : i1
  scf.if %outside {
    memref.store %zero, %a[%rev] : !shared
  }
  %more = arith.cmpi uge, %tid, %c32 : index
  scf.if %more {
    %v = memref.load %a[%tid] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
  }
  return
}

// The lower half, by a mask, and the upper one.
// CHECK-LABEL: func.func @masks
// CHECK-NOT: barrier
// CHECK: return
func.func @masks(%out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %bit = arith.andi %tid, %c64 : index
  %isLow = arith.cmpi eq, %bit, %c0 : index
  %low = arith.andi %rev, %c63 : index
  %high = arith.ori %low, %c64 : index
  scf.if %isLow {
    memref.store %zero, %a[%low] : !shared
  }
  %v = memref.load %a[%high] : !shared
  memref.store %v, %out[%tid] : memref<128xf32>
  return
}

// Neighbouring iterations use different slots, whatever the bounds are.
// CHECK-LABEL: func.func @slots
// CHECK: scf.for
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
// CHECK-NOT: barrier
// CHECK: return
func.func @slots(%from: index, %to: index, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : memref<2x128xf32, #gpu.address_space<workgroup>>
  %r = scf.for %i = %from to %to step %c1 iter_args(%v = %zero) -> f32 {
    %next = arith.addi %i, %c1 : index
    %slot = arith.andi %next, %c1 : index
    memref.store %v, %a[%slot, %tid] : memref<2x128xf32, #gpu.address_space<workgroup>>
    %w = memref.load %a[%slot, %rev] : memref<2x128xf32, #gpu.address_space<workgroup>>
    scf.yield %w : f32
  }
  memref.store %r, %out[%tid] : memref<128xf32>
  return
}

// Each part of a guard that is split has something to do, its other branch is
// only in one of them.
// CHECK-LABEL: func.func @split
// CHECK: scf.if
// CHECK-NEXT: memref.store {{.*}}workgroup
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.store
// CHECK-NEXT: } else {
// CHECK-NEXT: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @split(%out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c99 = arith.constant 99 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c99, %tid : index
  %a = memref.alloc() : !shared
  %few = arith.cmpi ult, %tid, %c100 : index
  scf.if %few {
    memref.store %zero, %a[%tid] : !shared
    %v = memref.load %a[%rev] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
  } else {
    memref.store %zero, %out[%tid] : memref<128xf32>
  }
  return
}
