// RUN: memspace-opt %s -memspace-map-to-threads=subgroup-size=64 -split-input-file | FileCheck %s
// RUN: memspace-opt %s -memspace-map-to-threads=subgroup-size=64 -canonicalize -cse -split-input-file -o /dev/null

// As many iterations as threads: no guard. [y, x] on (4, 16).

// CHECK-LABEL: func @exact
// CHECK-DAG: %[[X:.*]] = gpu.thread_id x upper_bound 4
// CHECK-DAG: %[[Y:.*]] = gpu.thread_id y upper_bound 16
// CHECK-NOT: scf.
// CHECK: memref.load %{{.*}}[%[[Y]], %[[X]]] : memref
// CHECK: memref.store {{.*}}[%[[Y]], %[[X]]] {memspace.disjoint = array<i64: 0>}
func.func @exact(%a: memref<16x4xf32>, %b: memref<16x4xf32>)
    attributes {gpu.known_block_size = array<i32: 4, 16, 1>} {
  scf.forall (%i, %j) in (16, 4) {
    %v = memref.load %a[%i, %j] : memref<16x4xf32>
    memref.store %v, %b[%i, %j] : memref<16x4xf32>
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// -----

// Fewer iterations than threads: a guard. A dimension without a mapping runs
// at id 0; a single iteration is a guard too.

// CHECK-LABEL: func @fewer
// CHECK-DAG: %[[X:.*]] = gpu.thread_id x upper_bound 64
// CHECK-DAG: %[[Y:.*]] = gpu.thread_id y upper_bound 2
// CHECK: %[[INX:.*]] = arith.cmpi slt, %[[X]], %c48
// CHECK: %[[INY:.*]] = arith.cmpi slt, %[[Y]], %c1
// CHECK: %[[IN:.*]] = arith.andi %[[INX]], %[[INY]]
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: memref.store {{.*}}[%[[X]]] {memspace.disjoint = array<i64: 0>}
// CHECK: %[[ONE:.*]] = arith.cmpi slt, %[[X]], %c1
// CHECK: scf.if
// CHECK: memref.store {{.*}} {memspace.disjoint = array<i64: 1>}
func.func @fewer(%a: memref<48xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 2, 1>} {
  scf.forall (%i) in (48) {
    memref.store %f, %a[%i] : memref<48xf32>
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%i) in (1) {
    memref.store %f, %a[%i] : memref<48xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// More iterations than threads wrap in order. The loop is uniform; it needs a
// guard only when the last wave is not full.

// CHECK-DAG: #[[$FULL:.*]] = affine_map<(d0)[s0] -> (d0 * 64 + s0)>
// CHECK-LABEL: func @more
// CHECK: %[[X:.*]] = gpu.thread_id x upper_bound 64
// CHECK: scf.for %[[W:.*]] = %c0{{.*}} to %c4{{.*}} step %c1{{.*}} {
// CHECK-NEXT: %[[I:.*]] = affine.apply #[[$FULL]](%[[W]])[%[[X]]]
// CHECK-NEXT: memref.store {{.*}}[%[[I]]]
// CHECK-NEXT: } {memspace.forall_loop = 0 : i64}
// CHECK: scf.for %[[W:.*]] = %c0{{.*}} to %c4{{.*}} step
// CHECK-NEXT: %[[I:.*]] = affine.apply #[[$FULL]](%[[W]])[%[[X]]]
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[I]], %c250
// CHECK: scf.if %[[IN]]
// CHECK: memref.store {{.*}}[%[[I]]]
// CHECK: } {memspace.forall_loop = 1 : i64}
func.func @more(%a: memref<256xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  scf.forall (%i) in (256) {
    memref.store %f, %a[%i] : memref<256xf32>
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%i) in (250) {
    memref.store %f, %a[%i] : memref<256xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// A dynamic trip count: a guard when it is bounded by the block, else the
// uniform loop. Nothing is left of an empty forall.

// CHECK-DAG: #[[$CEIL:.*]] = affine_map<()[s0] -> (s0 ceildiv 64)>
// CHECK-LABEL: func @dynamic
// CHECK: %[[X:.*]] = gpu.thread_id x
// CHECK: %[[MIN:.*]] = affine.min
// CHECK-NOT: scf.for
// CHECK: arith.cmpi slt, %[[X]], %[[MIN]]
// CHECK: scf.if
// CHECK: %[[WAVES:.*]] = affine.apply #[[$CEIL]]()[%{{.*}}]
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[WAVES]]
// CHECK: arith.cmpi slt
// CHECK: scf.if
// CHECK-NOT: memref.load
func.func @dynamic(%a: memref<?xf32>, %n: index, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %m = affine.min affine_map<()[s0] -> (s0, 64)>()[%n]
  scf.forall (%i) in (%m) {
    memref.store %f, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%i) in (%n) {
    memref.store %f, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%i, %j) in (0, 64) {
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %a[%j] : memref<?xf32>
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// -----

// Lower bounds and steps, static and dynamic: lb + step * k.

// CHECK-DAG: #[[$STEP:.*]] = affine_map<()[s0] -> (s0 * 4 + 8)>
// CHECK-DAG: #[[$TRIPS:.*]] = affine_map<()[s0, s1] -> (-s0 + s1)>
// CHECK-LABEL: func @normalize
// CHECK: %[[X:.*]] = gpu.thread_id x
// CHECK: arith.cmpi slt, %[[X]], %c14
// CHECK: affine.apply #[[$STEP]]()[%[[X]]]
// CHECK: %[[SPAN:.*]] = affine.apply #[[$TRIPS]]
// CHECK: %[[N:.*]] = arith.ceildivsi %[[SPAN]], %[[S:.*]] : index
// CHECK: scf.for
// CHECK: arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK: arith.muli %{{.*}}, %[[S]]
func.func @normalize(%a: memref<?xf32>, %lb: index, %ub: index, %s: index, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  scf.forall (%i) = (8) to (64) step (4) {
    memref.store %f, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%i) = (%lb) to (%ub) step (%s) {
    memref.store %f, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// One linear iteration over all threads, dimension 0 fastest.

// CHECK-DAG: #[[$LIN:.*]] = affine_map<(d0)[s0, s1] -> (d0 * 32 + s0 + s1 * 8)>
// CHECK-DAG: #[[$COL:.*]] = affine_map<(d0)[s0, s1] -> ((d0 * 32 + s0 + s1 * 8) mod 16)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0)[s0, s1] -> ((d0 * 32 + s0 + s1 * 8) floordiv 16)>
// CHECK-LABEL: func @linear
// CHECK-DAG: %[[X:.*]] = gpu.thread_id x upper_bound 8
// CHECK-DAG: %[[Y:.*]] = gpu.thread_id y upper_bound 4
// CHECK: scf.for %[[W:.*]] = %c0{{.*}} to %c4
// CHECK: %[[J:.*]] = affine.apply #[[$COL]](%[[W]])[%[[X]], %[[Y]]]
// CHECK: %[[I:.*]] = affine.apply #[[$ROW]](%[[W]])[%[[X]], %[[Y]]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// CHECK: scf.for %[[W:.*]] =
// CHECK: %[[I:.*]] = affine.apply #[[$LIN]](%[[W]])[%[[X]], %[[Y]]]
// CHECK: scf.if
// CHECK: %[[P:.*]] = arith.remui %[[I]], %[[N:.*]] : index
// CHECK: %[[Q:.*]] = arith.divui %[[I]], %[[N]] : index
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[Q]], %[[P]]]
func.func @linear(%a: memref<8x16xf32>, %b: memref<?x?xf32>, %n: index, %f: f32)
    attributes {gpu.known_block_size = array<i32: 8, 4, 1>} {
  scf.forall (%i, %j) in (8, 16) {
    memref.store %f, %a[%i, %j] : memref<8x16xf32>
  } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
  scf.forall (%i, %j) in (8, %n) {
    memref.store %f, %b[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
  return
}

// -----

// Four warps' worth of rows on two subgroups of 64; lanes beyond 32 idle. The
// row buffer is a temporary of the warp forall, which promises nothing of it
// between its iterations; so its lanes promise nothing either, for two
// subgroups write it at once.

// CHECK-DAG: #[[$WARP:.*]] = affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 64)>
// CHECK-DAG: #[[$LANE:.*]] = affine_map<()[s0] -> (s0 mod 64)>
// CHECK-LABEL: func @warp_lane
// CHECK: scf.for %[[W:.*]] = %c0{{.*}} to %c2{{.*}} step
// CHECK: %[[ROW:.*]] = affine.apply #[[$WARP]](%[[W]])[%[[X:.*]]]
// CHECK: %[[L:.*]] = affine.apply #[[$LANE]]()[%[[X]]]
// CHECK: arith.cmpi slt, %[[L]], %c32
// CHECK: memref.load %{{.*}}[%[[ROW]], %[[L]]] : memref
// CHECK: memref.store %{{[^{]*}} : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK: memref.store {{.*}} {memspace.disjoint = array<i64: 2>, memspace.subgroup_disjoint = array<i64: 0>}
// CHECK: } {memspace.forall_loop = 0 : i64}
func.func @warp_lane(%x: memref<4x32xf32>, %out: memref<4x32xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %t = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
  scf.forall (%w) in (4) {
    scf.forall (%l) in (32) {
      %v = memref.load %x[%w, %l] : memref<4x32xf32>
      memref.store %v, %t[%l] : memref<32xf32, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.lane<linear_dim_0>]}
    scf.forall (%l) in (32) {
      %l1 = arith.addi %l, %c1 : index
      %n = arith.remui %l1, %c32 : index
      %v = memref.load %t[%n] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %v, %out[%w, %l] : memref<4x32xf32>
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}

// -----

// A warp mapped by x, y; a block smaller than a subgroup; warpgroups of four
// subgroups with warps and threads counted inside.

// CHECK-DAG: #[[$WX:.*]] = affine_map<()[s0] -> (s0 floordiv 64)>
// CHECK-DAG: #[[$WG:.*]] = affine_map<()[s0] -> (s0 floordiv 256)>
// CHECK-DAG: #[[$INWG:.*]] = affine_map<()[s0] -> ((s0 mod 256) floordiv 64)>
// CHECK-DAG: #[[$REL:.*]] = affine_map<()[s0] -> (s0 mod 256)>
// CHECK-LABEL: func @warp_xy
// CHECK: %[[WX0:.*]] = affine.apply #[[$WX]]()[%thread_id_x]
// CHECK: memref.store {{.*}}[%thread_id_y, %[[WX0]]] {memspace.subgroup_disjoint = array<i64: 0>}
func.func @warp_xy(%out: memref<2x2xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 128, 2, 1>} {
  scf.forall (%i, %j) in (2, 2) {
    memref.store %f, %out[%i, %j] : memref<2x2xf32>
  } {mapping = [#gpu.warp<y>, #gpu.warp<x>]}
  return
}

// CHECK-LABEL: func @small_block
// CHECK: scf.for %[[W:.*]] = %c0{{.*}} to %c3
// CHECK: scf.for %[[V:.*]] = %c0{{.*}} to %c2
// CHECK: affine.apply
// CHECK: memref.store
func.func @small_block(%out: memref<3x32xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  scf.forall (%w) in (3) {
    scf.forall (%l) in (32) {
      memref.store %f, %out[%w, %l] : memref<3x32xf32>
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}

// CHECK-LABEL: func @warpgroup
// CHECK: %[[G:.*]] = affine.apply #[[$WG]]()[%thread_id_x]
// CHECK: %[[W:.*]] = affine.apply #[[$INWG]]()[%thread_id_x]
// CHECK: memref.store {{.*}}[%[[G]], %[[W]]] {memspace.subgroup_disjoint = array<i64: 1>, memspace.warpgroup_disjoint = array<i64: 0>}
// CHECK: %[[T:.*]] = affine.apply #[[$REL]]()[%thread_id_x]
// CHECK: memref.store {{.*}}[%[[G]], %[[T]]] {memspace.disjoint = array<i64: 2>, memspace.warpgroup_disjoint = array<i64: 0>}
func.func @warpgroup(%out: memref<2x4xf32>, %t: memref<2x256xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 512, 1, 1>} {
  scf.forall (%g) in (2) {
    scf.forall (%w) in (4) {
      memref.store %f, %out[%g, %w] : memref<2x4xf32>
    } {mapping = [#gpu.warp<x>]}
    scf.forall (%i) in (256) {
      memref.store %f, %t[%g, %i] : memref<2x256xf32>
    } {mapping = [#gpu.thread<linear_dim_0>]}
  } {mapping = [#gpu.warpgroup<x>]}
  return
}

// -----

// Blocks: exact, fewer, more than the grid; blocks make no promise.

// CHECK-LABEL: func @blocks
// CHECK-DAG: %[[BX:.*]] = gpu.block_id x upper_bound 8
// CHECK-DAG: %[[BY:.*]] = gpu.block_id y upper_bound 2
// CHECK-DAG: %[[X:.*]] = gpu.thread_id x upper_bound 4
// CHECK-NOT: scf.
// CHECK: memref.store {{.*}}[%[[BY]], %[[BX]]] {memspace.workgroup_disjoint = array<i64: 0>} : memref
// CHECK: arith.cmpi slt, %[[BX]], %c5
// CHECK: arith.cmpi slt, %[[BY]], %c1
// CHECK: scf.if
// CHECK: memref.store {{.*}}[%[[BX]], %[[X]]] {memspace.disjoint = array<i64: 2>, memspace.workgroup_disjoint = array<i64: 1>}
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c2{{.*}} step
// CHECK: memref.store
func.func @blocks(%a: memref<2x8xf32>, %b: memref<5x4xf32>, %c: memref<32xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 8, 2, 1>} {
  scf.forall (%i, %j) in (2, 8) {
    memref.store %f, %a[%i, %j] : memref<2x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  scf.forall (%i) in (5) {
    scf.forall (%t) in (4) {
      memref.store %f, %b[%i, %t] : memref<5x4xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  scf.forall (%i) in (32) {
    memref.store %f, %c[%i] : memref<32xf32>
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}

// CHECK-LABEL: func @unknown_grid
// CHECK-DAG: %[[GX:.*]] = gpu.grid_dim x
// CHECK-DAG: %[[GY:.*]] = gpu.grid_dim y
// CHECK-DAG: %[[BX:.*]] = gpu.block_id x{{ *$}}
// CHECK: arith.cmpi slt, %[[BX]], %arg2
// CHECK: scf.if
// CHECK: %[[L:.*]] = affine.apply #{{.*}}()[%[[GX]], %[[GY]], %[[BX]], %{{.*}}, %{{.*}}]
// CHECK: arith.cmpi slt, %[[L]], %c7
func.func @unknown_grid(%a: memref<4xf32>, %b: memref<7xf32>, %n: index, %f: f32)
    attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  scf.forall (%i) in (%n) {
    memref.store %f, %a[%i] : memref<4xf32>
  } {mapping = [#gpu.block<x>]}
  scf.forall (%i) in (7) {
    memref.store %f, %b[%i] : memref<7xf32>
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}

// -----

// The promise: also at offsets that are data, through views, select and loop
// carried buffers; for reads of what the forall writes; not for what it only
// reads, not for private memory, not for an access that cannot be traced.

// CHECK-LABEL: func @promise
// CHECK: memref.load %{{.*}}[%thread_id_x] : memref<64xindex>
// CHECK: memref.load {{.*}} {memspace.disjoint = array<i64: 0>} : memref<64xf32>
// CHECK: memref.store {{.*}} {memspace.disjoint = array<i64: 0>} : memref<64xf32>
// CHECK: scf.for
// CHECK: memref.load {{.*}} {memspace.disjoint = array<i64: 1>}
// CHECK: memref.store {{.*}} {memspace.disjoint = array<i64: 1>} : memref<1xf32
// CHECK: memref.store %{{.*}}, %alloca{{.*}}[%{{.*}}] : memref<4xf32, #gpu.address_space<private>>
// CHECK: linalg.copy {memspace.disjoint = array<i64: 2>}
// CHECK: memref.store {{.*}} {memspace.disjoint = array<i64: 2>}
// CHECK: memref.store %{{.*}}, %{{.*}}[%thread_id_x] : memref<?xf32>
func.func @promise(%idx: memref<64xindex>, %a: memref<64xf32>, %b: memref<64xf32>, %which: i1, %ptr: memref<1xmemref<?xf32>>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %p = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %t = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  scf.forall (%i) in (64) {
    %j = memref.load %idx[%i] : memref<64xindex>
    %sel = arith.select %which, %a, %b : memref<64xf32>
    %v = memref.load %sel[%j] : memref<64xf32>
    memref.store %v, %a[%j] : memref<64xf32>
  } {mapping = [#gpu.thread<x>]}
  %r:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%cur = %s, %nxt = %t) -> (memref<64xf32, #gpu.address_space<workgroup>>, memref<64xf32, #gpu.address_space<workgroup>>) {
    scf.forall (%i) in (64) {
      %v = memref.load %cur[%i] : memref<64xf32, #gpu.address_space<workgroup>>
      %view = memref.subview %nxt[%i] [1] [1] : memref<64xf32, #gpu.address_space<workgroup>> to memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
      memref.store %v, %view[%c0] : memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<x>]}
    scf.yield %nxt, %cur : memref<64xf32, #gpu.address_space<workgroup>>, memref<64xf32, #gpu.address_space<workgroup>>
  }
  scf.forall (%i) in (64) {
    memref.store %f, %p[%c0] : memref<4xf32, #gpu.address_space<private>>
    %v = memref.subview %r#0[%i] [1] [1] : memref<64xf32, #gpu.address_space<workgroup>> to memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    %o = memref.subview %b[%i] [1] [1] : memref<64xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.copy ins(%v : memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>) outs(%o : memref<1xf32, strided<[1], offset: ?>>)
    memref.store %f, %b[%i] : memref<64xf32>
    %q = memref.load %ptr[%c0] : memref<1xmemref<?xf32>>
    memref.store %f, %q[%i] : memref<?xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// Ids that the kernel reads already are the ones that the mapping uses; foralls
// in loops and branches are mapped where they stand; a kernel without a
// subgroup mapping needs no target.

// CHECK-LABEL: gpu.func @existing_ids
// CHECK: %[[X:.*]] = gpu.thread_id x upper_bound 64
// CHECK-NOT: gpu.thread_id
// CHECK: affine.apply #{{.*}}()[%[[X]]]
// CHECK: scf.for
// CHECK: scf.if %arg
// CHECK-NOT: scf.if
// CHECK: memref.store {{.*}}[%[[X]]]
gpu.module @m {
  gpu.func @existing_ids(%out: memref<64xf32>, %c: i1, %f: f32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %tid = gpu.thread_id x
    %subgroup = affine.apply affine_map<()[s0] -> (s0 floordiv 64)>()[%tid]
    memref.store %f, %out[%subgroup] : memref<64xf32>
    scf.for %k = %c0 to %c8 step %c1 {
      scf.if %c {
        scf.forall (%i) in (64) {
          memref.store %f, %out[%i] : memref<64xf32>
        } {mapping = [#gpu.thread<x>]}
      }
    }
    gpu.return
  }
}
