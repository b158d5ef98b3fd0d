// With iteration-guards a barrier may be skipped in the first or the last
// iteration of its loop, where nothing before the loop, or after it, needs it.
// RUN: memspace-opt %s -memspace-insert-barriers="chip=gfx942 iteration-guards" -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: memspace-opt %t -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t -canonicalize -cse -memspace-verify-barriers=chip=gfx942 -o /dev/null
// What is there is needed.
// RUN: memspace-opt %t -memspace-eliminate-barriers=chip=gfx942 -o %t.kept
// RUN: FileCheck %s --input-file=%t.kept

!tile = memref<128xf32, #gpu.address_space<workgroup>>
!two = memref<2x128xf32, #gpu.address_space<workgroup>>

// The tile is filled anew behind a barrier; the first time nothing reads it.
// CHECK-LABEL: func.func @refill
// CHECK: scf.for %[[I:.*]] = %[[LOWER:.*]] to %{{.*}} step
// CHECK: %[[NOT_FIRST:.*]] = arith.cmpi ne, %[[I]], %[[LOWER]] : index
// CHECK-NEXT: scf.if %[[NOT_FIRST]] {
// CHECK-NEXT: gpu.barrier {memspace.hazard = "WAR
// CHECK-NEXT: {{^ *}$}}
// CHECK-NEXT: memref.store
// CHECK: gpu.barrier {memspace.hazard = "RAW
// CHECK-NEXT: = memref.load
func.func @refill(%in: memref<8x128xf32>, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !tile
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %in[%i, %tid] : memref<8x128xf32>
    memref.store %x, %a[%tid] : !tile
    %y = memref.load %a[%rev] : !tile
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  memref.store %sum, %out[%tid] : memref<128xf32>
  return
}

// How often is not known.
// CHECK-LABEL: func.func @refill_unknown
// CHECK: scf.for %[[I:.*]] = %[[LOWER:.*]] to %{{.*}} step
// CHECK: %[[NOT_FIRST:.*]] = arith.cmpi ne, %[[I]], %[[LOWER]] : index
// CHECK-NEXT: scf.if %[[NOT_FIRST]] {
// CHECK-NEXT: gpu.barrier {memspace.hazard = "WAR
// CHECK-NEXT: {{^ *}$}}
// CHECK-NEXT: memref.store
// CHECK: gpu.barrier {memspace.hazard = "RAW
// CHECK-NEXT: = memref.load
func.func @refill_unknown(%in: memref<?x128xf32>, %out: memref<128xf32>, %n: index, %m: index) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !tile
  %sum = scf.for %i = %m to %n step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %in[%i, %tid] : memref<?x128xf32>
    memref.store %x, %a[%tid] : !tile
    %y = memref.load %a[%rev] : !tile
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  memref.store %sum, %out[%tid] : memref<128xf32>
  return
}

// One barrier an iteration; the last result is read behind the loop.
// CHECK-LABEL: func.func @ping_pong
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: {{^ *}$}}
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @ping_pong(%v: f32, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !two
  memref.store %v, %a[%c0, %tid] : !two
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %v) -> f32 {
    %slot = arith.remui %i, %c2 : index
    %y = memref.load %a[%slot, %tid] : !two
    %next = arith.addi %i, %c1 : index
    %other = arith.remui %next, %c2 : index
    %t = arith.addf %s, %y : f32
    memref.store %t, %a[%other, %rev] : !two
    scf.yield %t : f32
  }
  memref.store %last, %out[%tid] : memref<128xf32>
  return
}

// Two conditions of one iteration: what skips the second barrier in the first
// iteration has skipped none before.
// CHECK-LABEL: func.func @of_one_iteration
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @of_one_iteration(%v: f32) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c128 = arith.constant 128 : index
  %c255 = arith.constant 255 : index
  %tid = gpu.thread_id x
  %a = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %up = arith.addi %tid, %c128 : index
  memref.store %v, %a[%up] : memref<256xf32, #gpu.address_space<workgroup>>
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c6) -> index {
    %sum = arith.addi %tid, %c3 : index
    %turned = arith.remui %sum, %c128 : index
    memref.store %v, %a[%turned] : memref<256xf32, #gpu.address_space<workgroup>>
    %mirrored = arith.subi %c255, %tid : index
    %y = memref.load %a[%mirrored] : memref<256xf32, #gpu.address_space<workgroup>>
    %exchanged = arith.xori %tid, %c3 : index
    memref.store %v, %a[%exchanged] : memref<256xf32, #gpu.address_space<workgroup>>
    %next = arith.addi %x, %c4 : index
    scf.yield %next : index
  }
  return
}
