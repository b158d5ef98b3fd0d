// Packing changes no figure, except that it drops buffers that nobody uses.
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=gfx942 -split-input-file | FileCheck %s --check-prefixes=CHECK,PACKED
// RUN: memspace-opt %s -memspace-check-budget=chip=gfx942 -split-input-file | FileCheck %s --check-prefixes=CHECK,UNPACKED
// RUN: memspace-opt %s -memspace-check-budget=chip=gfx942 -split-input-file -o /dev/null --remarks-filter="memspace" --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REMARK

#wg = #gpu.address_space<workgroup>
#private = #gpu.address_space<private>

// Two buffers in a row: the second is written after the first was last read.

// REMARK-DAG: Category:memspace | Function=disjoint | PeakLiveBytes=512, PrivateBytes=36, SumBytes=1024, WorkgroupBytes=512, WorkgroupsPerUnit=16
// REMARK-DAG: Category:memspace | Function=disjoint | Bytes=512, Reason="written by one thread each, read by all"

// CHECK-LABEL: func @disjoint
// CHECK-SAME:    memspace.peak_live_bytes = 512 : i64
// CHECK-SAME:    memspace.private_bytes = 36 : i64
// CHECK-SAME:    memspace.sum_bytes = 1024 : i64
// CHECK-SAME:    memspace.workgroup_bytes = 512 : i64
func.func @disjoint(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %i = gpu.thread_id x
  %p = memref.alloca() : memref<8xf32, #private>
  %q = memref.alloca() : memref<f32, #private>
  %a = memref.alloc() {memspace.reason = "written by one thread each, read by all"} : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%i] : memref<128xf32, #wg>
  gpu.barrier
  %x = memref.load %a[%i] : memref<128xf32, #wg>
  memref.store %x, %b[%i] : memref<128xf32, #wg>
  gpu.barrier
  %y = memref.load %b[%i] : memref<128xf32, #wg>
  memref.store %y, %p[%i] : memref<8xf32, #private>
  memref.store %y, %q[] : memref<f32, #private>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// %a and %b live in parts of one iteration, %c is carried from one to the
// next, %d is overwritten by all threads at the end of each iteration and used
// after the loop, and %e is only read in it.

// CHECK-LABEL: func @loops
// CHECK-SAME:    memspace.peak_live_bytes = 3072 : i64
// CHECK-SAME:    memspace.sum_bytes = 5120 : i64
// CHECK-SAME:    memspace.workgroup_bytes = 3072 : i64
func.func @loops(%v: f32, %x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %i = gpu.thread_id x
  %a = memref.alloc() : memref<256xf32, #wg>
  %b = memref.alloc() : memref<256xf32, #wg>
  %c = memref.alloc() : memref<256xf32, #wg>
  %d = memref.alloc() : memref<256xf32, #wg>
  %e = memref.alloc() : memref<256xf32, #wg>
  memref.store %v, %e[%i] : memref<256xf32, #wg>
  scf.for %k = %c0 to %c8 step %c1 {
    %guard = arith.cmpi ult, %i, %c8 : index
    scf.if %guard {
      %0 = memref.load %x[%k] : memref<?xf32>
      memref.store %0, %a[%i] : memref<256xf32, #wg>
    }
    %1 = memref.load %a[%i] : memref<256xf32, #wg>
    memref.store %1, %b[%i] : memref<256xf32, #wg>
    %2 = memref.load %b[%i] : memref<256xf32, #wg>
    %3 = memref.load %c[%i] : memref<256xf32, #wg>
    %4 = memref.load %e[%i] : memref<256xf32, #wg>
    %5 = arith.addf %3, %4 : f32
    %6 = arith.addf %2, %5 : f32
    memref.store %6, %c[%i] : memref<256xf32, #wg>
    memref.store %6, %d[%i] : memref<256xf32, #wg>
  }
  %7 = memref.load %d[%i] : memref<256xf32, #wg>
  memref.store %7, %x[%i] : memref<?xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Element k is written in iteration k and all are read later: %a is carried,
// though each iteration writes it first. Both swap, so both are always live.

// CHECK-LABEL: func @carried
// CHECK-SAME:    memspace.peak_live_bytes = 96 : i64
// CHECK-SAME:    memspace.sum_bytes = 96 : i64
// CHECK-SAME:    memspace.workgroup_bytes = 96 : i64
func.func @carried(%v: f32, %x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %i = gpu.thread_id x
  %a = memref.alloc() : memref<8xf32, #wg>
  %b = memref.alloc() : memref<8xf32, #wg>
  %c = memref.alloc() : memref<8xf32, #wg>
  %r:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%p = %b, %q = %c) -> (memref<8xf32, #wg>, memref<8xf32, #wg>) {
    memref.store %v, %a[%k] : memref<8xf32, #wg>
    %0 = memref.load %a[%i] : memref<8xf32, #wg>
    memref.store %0, %p[%i] : memref<8xf32, #wg>
    scf.yield %q, %p : memref<8xf32, #wg>, memref<8xf32, #wg>
  }
  %1 = memref.load %r#0[%i] : memref<8xf32, #wg>
  memref.store %1, %x[%i] : memref<?xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Only one branch runs; a buffer that nothing touches is not live.

// CHECK-LABEL: func @branches
// CHECK-SAME:    memspace.peak_live_bytes = 64 : i64
// PACKED-SAME:   memspace.sum_bytes = 96 : i64
// UNPACKED-SAME: memspace.sum_bytes = 128 : i64
// CHECK-SAME:    memspace.workgroup_bytes = 64 : i64
func.func @branches(%v: f32, %flag: i1) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32, #wg>
  %b = memref.alloc() : memref<16xf32, #wg>
  %c = memref.alloc() : memref<8xf32, #wg>
  scf.if %flag {
    memref.store %v, %a[%c0] : memref<8xf32, #wg>
    %0 = memref.load %a[%c0] : memref<8xf32, #wg>
  } else {
    memref.store %v, %b[%c0] : memref<16xf32, #wg>
    %0 = memref.load %b[%c0] : memref<16xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Attributions of a gpu.func; one goes to a call and is live everywhere, nobody
// uses the other.

// CHECK-LABEL: gpu.func @outlined
// CHECK-SAME:    memspace.peak_live_bytes = 32 : i64
// CHECK-SAME:    memspace.private_bytes = 8 : i64
// PACKED-SAME:   memspace.sum_bytes = 32 : i64
// UNPACKED-SAME: memspace.sum_bytes = 48 : i64
// CHECK-SAME:    memspace.workgroup_bytes = 32 : i64
gpu.module @m {
  func.func private @callee(memref<8xf32, #wg>)
  gpu.func @outlined(%v: f32) workgroup(%a: memref<8xf32, #wg>, %b: memref<4xf32, #wg>)
      private(%p: memref<2xf32, #gpu.address_space<private>>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    func.call @callee(%a) : (memref<8xf32, #wg>) -> ()
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// Case B3: two tiles of 40 KiB, one after the other, fit in 64 KiB.

// CHECK-LABEL: func @one_after_the_other
// CHECK-SAME:    memspace.peak_live_bytes = 40960 : i64
// CHECK-SAME:    memspace.sum_bytes = 81920 : i64
// CHECK-SAME:    memspace.workgroup_bytes = 40960 : i64
func.func @one_after_the_other(%v: f32, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %i = gpu.thread_id x
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<128x80xf32, #wg>
  memref.store %v, %a[%i, %c3] : memref<128x80xf32, #wg>
  %x = memref.load %a[%i, %c3] : memref<128x80xf32, #wg>
  %b = memref.alloc() : memref<128x80xf32, #wg>
  memref.store %x, %b[%i, %c3] : memref<128x80xf32, #wg>
  %y = memref.load %b[%i, %c3] : memref<128x80xf32, #wg>
  memref.store %y, %out[%i] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Case B4: 7 x i1 takes 7 bytes and a hole of 9, 7 x i4 7 bytes; index has 8.

// CHECK-LABEL: func @small_elements
// CHECK-SAME:    memspace.peak_live_bytes = 70 : i64
// CHECK-SAME:    memspace.sum_bytes = 88 : i64
// CHECK-SAME:    memspace.workgroup_bytes = 87 : i64
func.func @small_elements(%bit: i1, %nibble: i4, %n: index, %out: memref<7xindex>) attributes {gpu.known_block_size = array<i32: 7, 1, 1>} {
  %i = gpu.thread_id x
  %a = memref.alloc() : memref<7xi1, #wg>
  %b = memref.alloc() : memref<7xi4, #wg>
  %c = memref.alloc() : memref<7xindex, #wg>
  memref.store %bit, %a[%i] : memref<7xi1, #wg>
  memref.store %nibble, %b[%i] : memref<7xi4, #wg>
  memref.store %n, %c[%i] : memref<7xindex, #wg>
  %x = memref.load %a[%i] : memref<7xi1, #wg>
  %y = memref.load %b[%i] : memref<7xi4, #wg>
  %z = memref.load %c[%i] : memref<7xindex, #wg>
  %p = arith.extui %x : i1 to i4
  %q = arith.addi %p, %y : i4
  %r = arith.index_castui %q : i4 to index
  %s = arith.addi %r, %z : index
  memref.store %s, %out[%i] : memref<7xindex>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Case B5: a row of 32 floats is padded to 33: 31 * 33 + 32 floats.

// CHECK-LABEL: func @padded
// CHECK-SAME:    memspace.workgroup_bytes = 4220 : i64
func.func @padded(%v: f32, %out: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %i = gpu.thread_id x
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<32x32xf32, strided<[33, 1]>, #wg>
  memref.store %v, %a[%i, %c1] : memref<32x32xf32, strided<[33, 1]>, #wg>
  %x = memref.load %a[%i, %c1] : memref<32x32xf32, strided<[33, 1]>, #wg>
  memref.store %x, %out[%i] : memref<32xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Case B8: 1000 static bytes, then, aligned, 2048 dynamic ones.

// CHECK-LABEL: gpu.func @static_and_dynamic
// CHECK-SAME:    memspace.peak_live_bytes = 3048 : i64
// CHECK-SAME:    memspace.workgroup_bytes = 3056 : i64
gpu.module @m {
  gpu.func @static_and_dynamic(%v: f32, %out: memref<250xf32>) workgroup(%a: memref<250xf32, #wg>) kernel
      attributes {known_block_size = array<i32: 250, 1, 1>, memspace.dynamic_workgroup_bytes = 2048 : i64} {
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #wg>
    %b = memref.view %bytes[%c0][] : memref<?xi8, #wg> to memref<512xf32, #wg>
    memref.store %v, %a[%i] : memref<250xf32, #wg>
    memref.store %v, %b[%i] : memref<512xf32, #wg>
    %x = memref.load %a[%i] : memref<250xf32, #wg>
    %y = memref.load %b[%i] : memref<512xf32, #wg>
    %z = arith.addf %x, %y : f32
    memref.store %z, %out[%i] : memref<250xf32>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// Two views of one buffer are counted once, and as long as the kernel runs.

// CHECK-LABEL: func @two_views
// CHECK-SAME:    memspace.peak_live_bytes = 256 : i64
// CHECK-SAME:    memspace.sum_bytes = 256 : i64
// CHECK-SAME:    memspace.workgroup_bytes = 256 : i64
func.func @two_views(%v: f32, %out: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %bytes = memref.alloc() : memref<256xi8, #wg>
  %a = memref.view %bytes[%c0][] : memref<256xi8, #wg> to memref<64xf32, #wg>
  %b = memref.view %bytes[%c0][] : memref<256xi8, #wg> to memref<64xi32, #wg>
  memref.store %v, %a[%i] : memref<64xf32, #wg>
  %x = memref.load %b[%i] : memref<64xi32, #wg>
  memref.store %x, %out[%i] : memref<64xi32>
  return
}
