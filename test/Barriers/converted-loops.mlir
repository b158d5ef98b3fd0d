// What holds of loops and branches holds of the blocks that they become: in
// however many blocks, under a condition that not all threads fulfil, and of
// buffers that a loop exchanges.
// RUN: memspace-opt %s -memspace-verify-barriers=chip=sm_90 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-verify-barriers=chip=sm_90 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-verify-barriers="chip=sm_90 ask-each-pair" -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=sm_90 | FileCheck %s
// RUN: memspace-opt %s -memspace-insert-barriers=chip=sm_90 | FileCheck %s
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=sm_90 -o %t.mlir
// RUN: memspace-runner %t.mlir --chip=sm_90 --kernel=exchanged --arg=0:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.mlir --chip=sm_90 --kernel=exchanged_by_some --arg=0:fill:1 --arg=1:fill:1 --arg=2:fill:0 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.mlir --chip=sm_90 --kernel=many_blocks --arg=0:fill:1 --arg=1:fill:8 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

#wg = #gpu.address_space<workgroup>

// One iteration is no other one: loops in one, under a condition. The place is
// not affine, so that only the promise of the forall tells threads apart.
// CHECK-LABEL: @on_one_side(
// CHECK-NOT: barrier
func.func @on_one_side(%v: i32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %tid = gpu.thread_id x upper_bound 64
  %tile = memref.alloc() : memref<1x4096xi32, #wg>
  %guard = arith.cmpi slt, %tid, %c32 : index
  scf.if %guard {
    %square = arith.muli %tid, %tid : index
    %own = memref.subview %tile[0, %square] [1, 1] [1, 1] : memref<1x4096xi32, #wg> to memref<1x1xi32, strided<[4096, 1], offset: ?>, #wg>
    scf.for %i = %c0 to %c1 step %c1 {
      scf.for %j = %c0 to %c1 step %c1 {
        memref.store %v, %own[%i, %j] {memspace.disjoint = array<i64: 0>} : memref<1x1xi32, strided<[4096, 1], offset: ?>, #wg>
      } {memspace.disjoint = array<i64: 0>}
    } {memspace.disjoint = array<i64: 0>}
  }
  return
}

// Each subgroup exchanges two tiles of its own.
// CHECK-LABEL: @exchanged(
// CHECK:         memspace.subgroup_barrier
// CHECK-NOT:     barrier
func.func @exchanged(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  %tid = gpu.thread_id x upper_bound 128
  %begin = affine.apply affine_map<()[s0] -> ((s0 floordiv 32) * 128)>()[%tid]
  %lane = affine.apply affine_map<()[s0] -> (s0 mod 32)>()[%tid]
  %bytes = memref.alloc() : memref<1024xi8, #wg>
  %left = memref.view %bytes[%c0][] : memref<1024xi8, #wg> to memref<512xi8, #wg>
  %a = memref.view %left[%begin][] : memref<512xi8, #wg> to memref<32xf32, #wg>
  %right = memref.view %bytes[%c512][] : memref<1024xi8, #wg> to memref<512xi8, #wg>
  %b = memref.view %right[%begin][] : memref<512xi8, #wg> to memref<32xf32, #wg>
  memref.store %v, %a[%lane] : memref<32xf32, #wg>
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a, %y = %b) -> (memref<32xf32, #wg>, memref<32xf32, #wg>) {
    %distance = arith.shrui %c16, %i : index
    %other = arith.xori %lane, %distance : index
    memspace.subgroup_barrier
    %p = memref.load %x[%lane] : memref<32xf32, #wg>
    %q = memref.load %x[%other] : memref<32xf32, #wg>
    %sum = arith.addf %p, %q : f32
    memref.store %sum, %y[%lane] : memref<32xf32, #wg>
    scf.yield %y, %x : memref<32xf32, #wg>, memref<32xf32, #wg>
  }
  return
}

// The same, of subgroups that take part only, which choose one tile behind.
// CHECK-LABEL: @exchanged_by_some(
// CHECK:         memspace.subgroup_barrier
// CHECK:         memspace.subgroup_barrier
// CHECK-NOT:     barrier
func.func @exchanged_by_some(%v: f32, %first: i1, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1024 = arith.constant 1024 : index
  %tid = gpu.thread_id x upper_bound 256
  %bytes = memref.alloc() : memref<2048xi8, #wg>
  %subgroup = affine.apply affine_map<()[s0] -> (s0 floordiv 32)>()[%tid]
  %takesPart = arith.cmpi slt, %subgroup, %c4 : index
  scf.if %takesPart {
    %begin = affine.apply affine_map<()[s0] -> ((s0 floordiv 32) * 128)>()[%tid]
    %lane = affine.apply affine_map<()[s0] -> (s0 mod 32)>()[%tid]
    %next = affine.apply affine_map<()[s0] -> ((s0 + 1) mod 32)>()[%tid]
    %left = memref.view %bytes[%c0][] : memref<2048xi8, #wg> to memref<1024xi8, #wg>
    %a = memref.view %left[%begin][] : memref<1024xi8, #wg> to memref<32xf32, #wg>
    %right = memref.view %bytes[%c1024][] : memref<2048xi8, #wg> to memref<1024xi8, #wg>
    %b = memref.view %right[%begin][] : memref<1024xi8, #wg> to memref<32xf32, #wg>
    memref.store %v, %a[%lane] : memref<32xf32, #wg>
    %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (memref<32xf32, #wg>, memref<32xf32, #wg>) {
      memspace.subgroup_barrier
      %p = memref.load %x[%lane] : memref<32xf32, #wg>
      %q = memref.load %x[%next] : memref<32xf32, #wg>
      %sum = arith.addf %p, %q : f32
      memref.store %sum, %y[%lane] : memref<32xf32, #wg>
      scf.yield %y, %x : memref<32xf32, #wg>, memref<32xf32, #wg>
    }
    %chosen = arith.select %first, %b, %a : memref<32xf32, #wg>
    memspace.subgroup_barrier
    %z = memref.load %chosen[%next] : memref<32xf32, #wg>
    memref.store %z, %out[%tid] : memref<256xf32>
  }
  return
}

// More blocks than anybody wants to look at one by one: what a loop counts is
// known in all of them. Each thread keeps to elements of its own.
// CHECK-LABEL: @many_blocks(
// CHECK-NOT: barrier
func.func @many_blocks(%v: i32, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %most = arith.minui %n, %c8 : index
  %tid = gpu.thread_id x upper_bound 64
  %tile = memref.alloc() : memref<512xi32, #wg>
  scf.for %i0 = %c0 to %most step %c1 {
    %p0 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i0)[%tid]
    memref.store %v, %tile[%p0] : memref<512xi32, #wg>
  }
  scf.for %i1 = %c0 to %most step %c1 {
    %p1 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i1)[%tid]
    memref.store %v, %tile[%p1] : memref<512xi32, #wg>
  }
  scf.for %i2 = %c0 to %most step %c1 {
    %p2 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i2)[%tid]
    memref.store %v, %tile[%p2] : memref<512xi32, #wg>
  }
  scf.for %i3 = %c0 to %most step %c1 {
    %p3 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i3)[%tid]
    memref.store %v, %tile[%p3] : memref<512xi32, #wg>
  }
  scf.for %i4 = %c0 to %most step %c1 {
    %p4 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i4)[%tid]
    memref.store %v, %tile[%p4] : memref<512xi32, #wg>
  }
  scf.for %i5 = %c0 to %most step %c1 {
    %p5 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i5)[%tid]
    memref.store %v, %tile[%p5] : memref<512xi32, #wg>
  }
  scf.for %i6 = %c0 to %most step %c1 {
    %p6 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i6)[%tid]
    memref.store %v, %tile[%p6] : memref<512xi32, #wg>
  }
  scf.for %i7 = %c0 to %most step %c1 {
    %p7 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i7)[%tid]
    memref.store %v, %tile[%p7] : memref<512xi32, #wg>
  }
  scf.for %i8 = %c0 to %most step %c1 {
    %p8 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i8)[%tid]
    memref.store %v, %tile[%p8] : memref<512xi32, #wg>
  }
  scf.for %i9 = %c0 to %most step %c1 {
    %p9 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i9)[%tid]
    memref.store %v, %tile[%p9] : memref<512xi32, #wg>
  }
  scf.for %i10 = %c0 to %most step %c1 {
    %p10 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i10)[%tid]
    memref.store %v, %tile[%p10] : memref<512xi32, #wg>
  }
  scf.for %i11 = %c0 to %most step %c1 {
    %p11 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i11)[%tid]
    memref.store %v, %tile[%p11] : memref<512xi32, #wg>
  }
  scf.for %i12 = %c0 to %most step %c1 {
    %p12 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i12)[%tid]
    memref.store %v, %tile[%p12] : memref<512xi32, #wg>
  }
  scf.for %i13 = %c0 to %most step %c1 {
    %p13 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i13)[%tid]
    memref.store %v, %tile[%p13] : memref<512xi32, #wg>
  }
  scf.for %i14 = %c0 to %most step %c1 {
    %p14 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i14)[%tid]
    memref.store %v, %tile[%p14] : memref<512xi32, #wg>
  }
  scf.for %i15 = %c0 to %most step %c1 {
    %p15 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i15)[%tid]
    memref.store %v, %tile[%p15] : memref<512xi32, #wg>
  }
  scf.for %i16 = %c0 to %most step %c1 {
    %p16 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i16)[%tid]
    memref.store %v, %tile[%p16] : memref<512xi32, #wg>
  }
  scf.for %i17 = %c0 to %most step %c1 {
    %p17 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i17)[%tid]
    memref.store %v, %tile[%p17] : memref<512xi32, #wg>
  }
  scf.for %i18 = %c0 to %most step %c1 {
    %p18 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i18)[%tid]
    memref.store %v, %tile[%p18] : memref<512xi32, #wg>
  }
  scf.for %i19 = %c0 to %most step %c1 {
    %p19 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i19)[%tid]
    memref.store %v, %tile[%p19] : memref<512xi32, #wg>
  }
  scf.for %i20 = %c0 to %most step %c1 {
    %p20 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i20)[%tid]
    memref.store %v, %tile[%p20] : memref<512xi32, #wg>
  }
  scf.for %i21 = %c0 to %most step %c1 {
    %p21 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i21)[%tid]
    memref.store %v, %tile[%p21] : memref<512xi32, #wg>
  }
  scf.for %i22 = %c0 to %most step %c1 {
    %p22 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i22)[%tid]
    memref.store %v, %tile[%p22] : memref<512xi32, #wg>
  }
  scf.for %i23 = %c0 to %most step %c1 {
    %p23 = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%i23)[%tid]
    memref.store %v, %tile[%p23] : memref<512xi32, #wg>
  }
  return
}

// A loop that counts for long is not executed number by number.
// CHECK-LABEL: @long_on_one_side(
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @long_on_one_side(%out: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %end = arith.constant 16384 : index
  %tid = gpu.thread_id x upper_bound 64
  %table = memref.alloc() : memref<16384xi32, #wg>
  %isFirst = arith.cmpi slt, %tid, %c1 : index
  scf.if %isFirst {
    scf.for %i = %c1 to %end step %c1 {
      %number = arith.index_cast %i : index to i32
      %before = arith.subi %i, %c1 : index
      memref.store %number, %table[%before] : memref<16384xi32, #wg>
    }
  }
  gpu.barrier
  %place = arith.subi %c63, %tid : index
  %v = memref.load %table[%place] : memref<16384xi32, #wg>
  memref.store %v, %out[%tid] : memref<64xi32>
  return
}
