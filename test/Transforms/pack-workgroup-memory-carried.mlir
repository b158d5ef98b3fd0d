// Buffers that a loop allocates and passes on have one place, with the one that
// it begins with, where each is dead when the next is written.
// RUN: split-file %s %t
// RUN: memspace-opt %t/for.mlir -memspace-pack-workgroup-memory="chip=gfx942 objective=bytes" -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t/for-packed.mlir
// RUN: FileCheck %t/for.mlir < %t/for-packed.mlir
// RUN: memspace-opt %t/for.mlir -memspace-insert-barriers=chip=gfx942 -o %t/for-apart.mlir
// RUN: memspace-runner %t/for-packed.mlir --arg=0:iota --orders=6 --verbose --out=1:%t/for-packed.npy | FileCheck %t/for.mlir --check-prefix=RACES
// RUN: memspace-runner %t/for-apart.mlir --arg=0:iota --orders=6 --verbose --out=1:%t/for-apart.npy | FileCheck %t/for.mlir --check-prefix=RACES
// RUN: cmp %t/for-packed.npy %t/for-apart.npy

// RUN: memspace-opt %t/two.mlir -memspace-pack-workgroup-memory="chip=gfx942 objective=bytes" -canonicalize -cse -loop-invariant-code-motion -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t/two-packed.mlir
// RUN: FileCheck %t/two.mlir < %t/two-packed.mlir
// RUN: memspace-opt %t/two.mlir -memspace-insert-barriers=chip=gfx942 -o %t/two-apart.mlir
// RUN: memspace-runner %t/two-packed.mlir --arg=0:iota --orders=6 --out=1:%t/two-packed.npy
// RUN: memspace-runner %t/two-apart.mlir --arg=0:iota --orders=6 --out=1:%t/two-apart.npy
// RUN: cmp %t/two-packed.npy %t/two-apart.npy

// RUN: memspace-opt %t/initial.mlir -memspace-pack-workgroup-memory=chip=gfx942 -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t/initial-packed.mlir
// RUN: FileCheck %t/initial.mlir < %t/initial-packed.mlir
// RUN: memspace-opt %t/initial.mlir -memspace-insert-barriers=chip=gfx942 -o %t/initial-apart.mlir
// RUN: memspace-runner %t/initial-packed.mlir --arg=0:iota --orders=6 --out=1:%t/initial-packed.npy
// RUN: memspace-runner %t/initial-apart.mlir --arg=0:iota --orders=6 --out=1:%t/initial-apart.npy
// RUN: cmp %t/initial-packed.npy %t/initial-apart.npy

// RUN: memspace-opt %t/bytes.mlir -memspace-pack-workgroup-memory="chip=gfx942 objective=bytes" -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t/bytes-packed.mlir
// RUN: FileCheck %t/bytes.mlir < %t/bytes-packed.mlir
// RUN: memspace-opt %t/bytes.mlir -memspace-insert-barriers=chip=gfx942 -o %t/bytes-apart.mlir
// RUN: memspace-runner %t/bytes-packed.mlir --arg=0:iota --orders=6 --out=1:%t/bytes-packed.npy
// RUN: memspace-runner %t/bytes-apart.mlir --arg=0:iota --orders=6 --out=1:%t/bytes-apart.npy
// RUN: cmp %t/bytes-packed.npy %t/bytes-apart.npy

// Branches between blocks that all threads take together are followed as well.
// RUN: memspace-opt %t/for.mlir -convert-scf-to-cf -memspace-pack-workgroup-memory="chip=gfx942 objective=bytes" -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t/for-cf.mlir
// RUN: FileCheck %t/for.mlir --check-prefix=CF < %t/for-cf.mlir
// RUN: memspace-runner %t/for-cf.mlir --arg=0:iota --orders=6 --verbose --out=1:%t/for-cf.npy | FileCheck %t/for.mlir --check-prefix=RACES
// RUN: cmp %t/for-cf.npy %t/for-apart.npy
// RUN: memspace-opt %t/two.mlir -convert-scf-to-cf -memspace-pack-workgroup-memory="chip=gfx942 objective=bytes" -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t/two-cf.mlir
// RUN: FileCheck %t/two.mlir < %t/two-cf.mlir
// RUN: memspace-runner %t/two-cf.mlir --arg=0:iota --orders=6 --out=1:%t/two-cf.npy
// RUN: cmp %t/two-cf.npy %t/two-apart.npy

// RUN: memspace-opt %t/for.mlir -memspace-report-budget=chip=gfx942 -o /dev/null | FileCheck %t/for.mlir --check-prefix=BUDGET

//--- for.mlir
// Between the last read of a buffer and the first write of the next one, another
// buffer has the place.
// CHECK: memref.alloc() {{.*}}memspace.reason = "arena of 3 workgroup buffers"} : memref<256xi8
// CHECK: %[[INIT:.*]] = memref.view %{{.*}}[%{{.*}}][] {memspace.buffer = 0 : i64}
// CHECK: scf.for {{.*}} iter_args(%[[CUR:.*]] = %[[INIT]])
// CHECK: %[[NEW:.*]] = memref.view %{{.*}}[%{{.*}}][] {memspace.buffer = 2 : i64}
// CHECK: gpu.barrier
// CHECK: memref.load %[[CUR]]
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}}, %[[NEW]]
// CHECK: scf.yield %[[NEW]]
// CF: memref.alloc() {{.*}} : memref<256xi8
// RACES: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0
// BUDGET: live at the peak 256 bytes
// BUDGET: A 256 bytes at 0, {{.*}}: %alloc
// BUDGET: B 256 bytes at 256, {{.*}}: %alloc_0
// BUDGET-NOT: %alloc_1
#wg = #gpu.address_space<workgroup>
!t = memref<64xf32, #wg>
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c63, %tid : index
  %first = memref.alloc() : !t
  %other = memref.alloc() : !t
  %v = memref.load %in[%tid] : memref<64xf32>
  memref.store %v, %first[%tid] : !t
  %last = scf.for %k = %c0 to %c8 step %c1 iter_args(%cur = %first) -> (!t) {
    %new = memref.alloc() : !t
    %0 = memref.load %cur[%rev] : !t
    %1 = memref.load %cur[%tid] : !t
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %other[%rev] : !t
    %3 = memref.load %other[%tid] : !t
    memref.store %3, %new[%tid] : !t
    scf.yield %new : !t
  }
  %4 = memref.load %last[%rev] : !t
  memref.store %4, %out[%tid] : memref<64xf32>
  return
}

//--- two.mlir
// Two carried values, the allocations of which are under a uniform condition or
// in an inner loop. The views may be hoisted out of the loops.
// CHECK: memref.alloc() {{.*}} : memref<512xi8
#wg = #gpu.address_space<workgroup>
!t = memref<64xf32, #wg>
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c63 = arith.constant 63 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c63, %tid : index
  %a = memref.alloc() : !t
  %b = memref.alloc() : !t
  %v = memref.load %in[%tid] : memref<64xf32>
  memref.store %v, %a[%tid] : !t
  memref.store %v, %b[%rev] : !t
  %r:2 = scf.for %k = %c0 to %c7 step %c1 iter_args(%m = %a, %p = %b) -> (!t, !t) {
    %odd = arith.remui %k, %c2 : index
    %isOdd = arith.cmpi eq, %odd, %c1 : index
    %0 = memref.load %m[%rev] : !t
    %next = scf.if %isOdd -> (!t) {
      %c = memref.alloc() : !t
      %1 = memref.load %p[%tid] : !t
      %2 = arith.subf %0, %1 : f32
      memref.store %2, %c[%tid] : !t
      scf.yield %c : !t
    } else {
      scf.yield %m : !t
    }
    %s = scf.for %l = %c0 to %c3 step %c1 iter_args(%q = %p) -> (!t) {
      %d = memref.alloc() : !t
      %window = memref.subview %q[16] [16] [1] : !t to memref<16xf32, strided<[1], offset: 16>, #wg>
      %3 = memref.load %window[%l] : memref<16xf32, strided<[1], offset: 16>, #wg>
      %4 = memref.load %q[%rev] : !t
      %5 = arith.addf %3, %4 : f32
      memref.store %5, %d[%tid] : !t
      scf.yield %d : !t
    }
    scf.yield %next, %s : !t, !t
  }
  %6 = memref.load %r#0[%rev] : !t
  %7 = memref.load %r#1[%rev] : !t
  %8 = arith.addf %6, %7 : f32
  memref.store %8, %out[%tid] : memref<64xf32>
  return
}

//--- initial.mlir
// What the loop begins with is needed later: it has a place of its own.
// CHECK: memref.alloc() {{.*}}memspace.reason = "arena of 2 workgroup buffers"} : memref<512xi8
#wg = #gpu.address_space<workgroup>
!t = memref<64xf32, #wg>
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c63 = arith.constant 63 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c63, %tid : index
  %first = memref.alloc() : !t
  %v = memref.load %in[%tid] : memref<64xf32>
  memref.store %v, %first[%tid] : !t
  %k0, %last = scf.while (%k = %c0, %cur = %first) : (index, !t) -> (index, !t) {
    %more = arith.cmpi ult, %k, %c5 : index
    scf.condition(%more) %k, %cur : index, !t
  } do {
  ^bb0(%k: index, %cur: !t):
    %new = memref.alloc() : !t
    %0 = memref.load %cur[%rev] : !t
    %1 = arith.addf %0, %v : f32
    memref.store %1, %new[%tid] : !t
    %next = arith.addi %k, %c1 : index
    scf.yield %next, %new : index, !t
  }
  %2 = memref.load %last[%rev] : !t
  %3 = memref.load %first[%rev] : !t
  %4 = arith.addf %2, %3 : f32
  memref.store %4, %out[%tid] : memref<64xf32>
  return
}

//--- bytes.mlir
// A buffer of bytes that is passed on stays one, whatever its views are. A global
// has a place of its own.
// CHECK: memref.alloc() {{.*}}memspace.reason = "arena of 4 workgroup buffers"} : memref<1024xi8
// CHECK: memref.view %{{.*}} {memspace.buffer = 1 : i64} : {{.*}} to memref<512xi8
#wg = #gpu.address_space<workgroup>
!b = memref<512xi8, #wg>
!t = memref<64xf32, #wg>
memref.global "private" @global : memref<64xf32, #wg> = uninitialized
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c256 = arith.constant 256 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c63, %tid : index
  %global = memref.get_global @global : !t
  %first = memref.alloc() : !b
  %upper = memref.view %first[%c256][] : !b to !t
  %v = memref.load %in[%tid] : memref<64xf32>
  memref.store %v, %upper[%tid] : !t
  memref.store %v, %global[%tid] : !t
  %last:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%cur = %first, %other = %global) -> (!b, !t) {
    %new = memref.alloc() : !b
    %next = memref.alloc() : !t
    %from = memref.view %cur[%c256][] : !b to !t
    %to = memref.view %new[%c256][] : !b to !t
    %0 = memref.load %from[%rev] : !t
    %1 = memref.load %from[%tid] : !t
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %to[%tid] : !t
    %3 = memref.load %other[%rev] : !t
    %4 = arith.subf %2, %3 : f32
    memref.store %4, %next[%tid] : !t
    scf.yield %new, %next : !b, !t
  }
  %end = memref.view %last#0[%c256][] : !b to !t
  %5 = memref.load %end[%rev] : !t
  %6 = memref.load %last#1[%rev] : !t
  %7 = arith.addf %5, %6 : f32
  memref.store %7, %out[%tid] : memref<64xf32>
  return
}
