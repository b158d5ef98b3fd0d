// Of a counter whose end is not known the lowest bits are followed, where these
// choose the slot: the next iteration is in another one. Where it starts need
// not be known.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: memspace-opt %t -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t -canonicalize -cse -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null

!two = memref<2x128xf32, #gpu.address_space<workgroup>>
!three = memref<3x128xf32, #gpu.address_space<workgroup>>
!four = memref<4x128xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @blocks
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @blocks(%v: f32, %m: index, %n: index) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !two
  cf.br ^head(%m, %v : index, f32)
^head(%i: index, %x: f32):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^end
^body:
  %slot = arith.andi %i, %c1 : index
  memref.store %x, %a[%slot, %tid] : !two
  %y = memref.load %a[%slot, %rev] : !two
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %y : index, f32)
^end:
  return
}

// The same slot in each iteration.
// CHECK-LABEL: func.func @even_step
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @even_step(%v: f32, %m: index, %n: index) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !two
  cf.br ^head(%m, %v : index, f32)
^head(%i: index, %x: f32):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^end
^body:
  %slot = arith.andi %i, %c1 : index
  memref.store %x, %a[%slot, %tid] : !two
  %y = memref.load %a[%slot, %rev] : !two
  %next = arith.addi %i, %c2 : index
  cf.br ^head(%next, %y : index, f32)
^end:
  return
}

// As a number without a sign -1 is 0 modulo 3, as 0 is.
// CHECK-LABEL: func.func @three_slots
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @three_slots(%v: f32, %m: index, %n: index) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !three
  cf.br ^head(%m, %v : index, f32)
^head(%i: index, %x: f32):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^end
^body:
  %slot = arith.remui %i, %c3 : index
  memref.store %x, %a[%slot, %tid] : !three
  %y = memref.load %a[%slot, %rev] : !three
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %y : index, f32)
^end:
  return
}

// The remainder of a counter that begins at 0 is not negative.
// CHECK-LABEL: func.func @signed_remainder
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @signed_remainder(%v: f32, %n: index) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !four
  %r:2 = scf.while (%i = %c0, %x = %v) : (index, f32) -> (index, f32) {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i, %x : index, f32
  } do {
  ^bb0(%i: index, %x: f32):
    %slot = arith.remsi %i, %c4 : index
    memref.store %x, %a[%slot, %tid] : !four
    %y = memref.load %a[%slot, %rev] : !four
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %y : index, f32
  }
  return
}

// The lowest bit by a cast.
// CHECK-LABEL: func.func @truncated
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @truncated(%v: f32, %m: index, %n: index) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !two
  scf.for %i = %m to %n step %c1 {
    %wide = arith.index_cast %i : index to i32
    %bit = arith.trunci %wide : i32 to i1
    %slot = arith.index_castui %bit : i1 to index
    memref.store %v, %a[%slot, %tid] : !two
    %y = memref.load %a[%slot, %rev] : !two
  }
  return
}

// A memref that may be one of two is followed where only one is written.
// CHECK-LABEL: func.func @other_is_read
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @other_is_read(%v: f32, %c: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %b = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %v, %b[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
  %r:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%p = %a, %q = %b)
      -> (memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>) {
    %y = memref.load %p[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    scf.yield %q, %p : memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>
  }
  return
}
