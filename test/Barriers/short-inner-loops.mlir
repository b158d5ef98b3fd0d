// An access in a short loop of each thread's own (what a copy of two elements is
// lowered to) may be in any of its iterations: pairs of threads stay in one subgroup
// all the same, in every step of the loop around.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: memspace-opt %t -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFIED --allow-empty
// VERIFIED-NOT: data race

!shared = memref<256xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @butterfly
// CHECK-NOT: gpu.barrier
// CHECK: memspace.subgroup_barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @butterfly(%in: memref<256xf32>, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %tid = gpu.thread_id x
  %first = arith.muli %tid, %c2 : index
  %a = memref.alloc() : !shared
  scf.for %k = %c0 to %c2 step %c1 {
    %at = arith.addi %first, %k : index
    %v = memref.load %in[%at] : memref<256xf32>
    memref.store %v, %a[%at] : !shared
  }
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%acc = %zero) -> f32 {
    %distance = arith.shli %c1, %i : index
    %other = arith.xori %tid, %distance : index
    %begin = arith.muli %other, %c2 : index
    %s = scf.for %k = %c0 to %c2 step %c1 iter_args(%sum = %acc) -> f32 {
      %at = arith.addi %begin, %k : index
      %v = memref.load %a[%at] : !shared
      %next = arith.addf %sum, %v : f32
      scf.yield %next : f32
    }
    scf.yield %s : f32
  }
  memref.store %r, %out[%tid] : memref<128xf32>
  return
}

// An outer counter without end is followed by less than its number; the
// iterations of the inner loop are still counted, so that its buffers are known.
// CHECK-LABEL: func.func @inside_unknown_while
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @inside_unknown_while(%v: f32, %n: index) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %b = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  scf.while (%k = %c0) : (index) -> index {
    %go = arith.cmpi slt, %k, %n : index
    scf.condition(%go) %k : index
  } do {
  ^bb0(%k: index):
    %p:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %a, %y = %b)
        -> (memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>) {
      scf.yield %y, %x : memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>
    }
    memref.store %v, %p#0[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
    %next = arith.addi %k, %c1 : index
    scf.yield %next : index
  }
  %l = memref.load %b[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
  return
}
