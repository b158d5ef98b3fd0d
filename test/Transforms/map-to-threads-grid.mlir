// RUN: memspace-opt %s -memspace-map-to-threads -split-input-file | FileCheck %s
// RUN: memspace-opt %s -memspace-map-to-threads=grid-size=4,1,1 -split-input-file | FileCheck %s --check-prefix=GIVEN

// The kernel records the grid that its block foralls need. Over a smaller one
// that is given the iterations wrap.

// Static extents: the largest of all foralls, and no workgroup too many.

// CHECK-LABEL: func @static
// CHECK-SAME: gpu.known_grid_size = array<i32: 6, 5, 1>
// CHECK-NOT: memspace.grid_size
// CHECK-DAG: %[[X:.*]] = gpu.block_id x upper_bound 6
// CHECK-DAG: %[[Y:.*]] = gpu.block_id y upper_bound 5
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[Y]], %c4
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: memref.store {{.*}}[%[[Y]], %[[X]]]
// CHECK: arith.cmpi slt, %[[X]], %c2
// CHECK: memref.store {{.*}}[%[[Y]], %[[X]]]

// GIVEN-LABEL: func @static
// GIVEN-SAME: gpu.known_grid_size = array<i32: 4, 1, 1>
// GIVEN: scf.for {{.*}} to %c4
// GIVEN: scf.for {{.*}} to %c2
func.func @static(%a: memref<8x8xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  scf.forall (%i, %j) in (4, 6) {
    memref.store %f, %a[%i, %j] : memref<8x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  scf.forall (%i, %j) in (5, 2) {
    memref.store %f, %a[%i, %j] : memref<8x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// -----

// All iterations in a row.

// CHECK-LABEL: func @linear
// CHECK-SAME: gpu.known_grid_size = array<i32: 24, 1, 1>
// CHECK-NOT: scf.if
func.func @linear(%a: memref<4x6xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  scf.forall (%i, %j) in (4, 6) {
    memref.store %f, %a[%i, %j] : memref<4x6xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}

// -----

// Some foralls count x and y, one all workgroups: x has room for it.

// CHECK-LABEL: func @arranged_and_linear
// CHECK-SAME: gpu.known_grid_size = array<i32: 5, 3, 1>
func.func @arranged_and_linear(%a: memref<4x13xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  scf.forall (%i, %j) in (3, 4) {
    memref.store %f, %a[%i, %j] : memref<4x13xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  scf.forall (%i) in (13) {
    %c3 = arith.constant 3 : index
    memref.store %f, %a[%c3, %i] : memref<4x13xf32>
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}

// -----

// The same with extents of arguments has no expression yet.

// CHECK-LABEL: func @arranged_and_linear_dynamic
// CHECK-NOT: grid_size
// CHECK: return
func.func @arranged_and_linear_dynamic(%a: memref<4x13xf32>, %n: index, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  scf.forall (%i, %j) in (3, %n) {
    memref.store %f, %a[%i, %j] : memref<4x13xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  scf.forall (%i) in (13) {
    %c3 = arith.constant 3 : index
    memref.store %f, %a[%c3, %i] : memref<4x13xf32>
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}

// -----

// Extents of arguments: an expression of them.

// CHECK-DAG: #[[$X:.*]] = affine_map<()[s0, s1] -> (s1 ceildiv 32, 7)>
// CHECK-DAG: #[[$Y:.*]] = affine_map<()[s0, s1] -> ((s0 * 2 + 1) floordiv 4)>
// CHECK-DAG: #[[$Z:.*]] = affine_map<()[s0, s1] -> (1)>
// CHECK-LABEL: func @dynamic
// CHECK-NOT: gpu.known_grid_size
// CHECK-SAME: memspace.grid_size = [#[[$X]], #[[$Y]], #[[$Z]]]
// CHECK-SAME: memspace.grid_symbols = array<i64: 1, -1, 0, 1>

// GIVEN-LABEL: func @dynamic
// GIVEN-NOT: memspace.grid_size
// GIVEN: scf.for
func.func @dynamic(%a: memref<8x?xf32>, %n: i32, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %columns = memref.dim %a, %c1 : memref<8x?xf32>
  %m = arith.index_cast %n : i32 to index
  %twice = arith.addi %m, %m : index
  %more = affine.apply affine_map<(d0) -> (d0 + 1)>(%twice)
  %rows = arith.floordivsi %more, %c4 : index
  scf.forall (%i, %j) = (0, 0) to (%rows, %columns) step (1, 32) {
    memref.store %f, %a[%c0, %j] : memref<8x?xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  scf.forall (%j) in (7) {
    memref.store %f, %a[%c0, %j] : memref<8x?xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// An extent is not negative, and neither is what it is computed of alone; a
// number may be.

// CHECK-DAG: #[[$QUARTER:.*]] = affine_map<()[s0] -> ((s0 * 2 + 3) floordiv 4)>
// CHECK-LABEL: func @quotient_of_extent
// CHECK-SAME: memspace.grid_size = [#[[$QUARTER]],
// CHECK-LABEL: func @quotient_of_number
// CHECK-NOT: grid_size
func.func @quotient_of_extent(%a: memref<?xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %twice = arith.muli %n, %c2 : index
  %more = arith.addi %twice, %c3 : index
  %m = arith.divsi %more, %c4 : index
  scf.forall (%i) in (%m) {
    memref.store %f, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @quotient_of_number(%a: memref<?xf32>, %n: index, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c4 = arith.constant 4 : index
  %m = arith.divsi %n, %c4 : index
  scf.forall (%i) in (%m) {
    memref.store %f, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// One map: so many workgroups in all.

// CHECK-DAG: #[[$ALL:.*]] = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-LABEL: func @dynamic_linear
// CHECK-SAME: memspace.grid_size = [#[[$ALL]]], memspace.grid_symbols = array<i64: 1, -1, 2, -1>
func.func @dynamic_linear(%a: memref<?x?xf32>, %m: index, %n: index, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  scf.forall (%i, %j) in (%m, %n) {
    memref.store %f, %a[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}

// -----

// Nobody can say: an extent that is data, block ids that the kernel reads
// itself, two kinds of mapping.

// CHECK-LABEL: func @data
// CHECK-NOT: grid_size
// CHECK-LABEL: func @own_ids
// CHECK-NOT: grid_size
// CHECK-LABEL: func @no_blocks
// CHECK-NOT: grid_size
func.func @data(%a: memref<?xf32>, %sizes: memref<1xindex>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %n = memref.load %sizes[%c0] : memref<1xindex>
  scf.forall (%i) in (%n) {
    memref.store %f, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @own_ids(%a: memref<8xf32>, %b: memref<?xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %y = gpu.block_id y
  memref.store %f, %b[%y] : memref<?xf32>
  scf.forall (%i) in (8) {
    memref.store %f, %a[%i] : memref<8xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// One workgroup, as it was.
func.func @no_blocks(%a: memref<8xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  scf.forall (%i) in (8) {
    memref.store %f, %a[%i] : memref<8xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// A block forall promises that its workgroups do not meet, but not from one
// iteration of a loop around it to another.

// CHECK-LABEL: func @promises
// CHECK: memref.copy {{.*}} {memspace.workgroup_disjoint = array<i64: 0>}
// CHECK: scf.for
// CHECK-NOT: promise
// CHECK: return
func.func @promises(%a: memref<4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i) in (4) {
    // Each workgroup has one of its own.
    %own = memref.alloc() : memref<1xf32, #gpu.address_space<workgroup>>
    memref.store %f, %own[%c0] : memref<1xf32, #gpu.address_space<workgroup>>
    %slice = memref.subview %a[%i] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
    memref.copy %own, %slice : memref<1xf32, #gpu.address_space<workgroup>> to memref<1xf32, strided<[1], offset: ?>>
  } {mapping = [#gpu.block<x>]}
  scf.for %k = %c0 to %c4 step %c1 {
    scf.forall (%i) in (4) {
      memref.store %f, %a[%i] : memref<4xf32>
    } {mapping = [#gpu.block<x>]}
  }
  return
}

// -----

// Arithmetic on 32 bits may wrap, where the grid's size would not.

// CHECK-LABEL: func @narrow
// CHECK-NOT: memspace.grid_size
// CHECK: gpu.block_id x

// GIVEN-LABEL: func @narrow
func.func @narrow(%a: memref<?xf32>, %n: i32, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c8 = arith.constant 8 : i32
  %wraps = arith.muli %n, %c8 : i32
  %m = arith.index_cast %wraps : i32 to index
  scf.forall (%i) in (%m) {
    memref.store %f, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// The index dialect, casts of sizes, and static dimensions.

// CHECK-LABEL: func @index_dialect
// CHECK-SAME: gpu.known_grid_size = array<i32: 4, 1, 1>

// GIVEN-LABEL: func @index_dialect
func.func @index_dialect(%a: memref<8xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i2 = index.constant 2
  %tile = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
  %extent = memref.dim %tile, %c0 : memref<8xf32, #gpu.address_space<private>>
  %m = index.ceildivs %extent, %i2
  scf.forall (%i) in (%m) {
    memref.store %f, %a[%i] : memref<8xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// The extent of an argument in another shape is computed from its own.

// CHECK-DAG: #[[$X:.*]] = affine_map<()[s0, s1, s2] -> (s1, 4)>
// CHECK-DAG: #[[$Y:.*]] = affine_map<()[s0, s1, s2] -> (s0 * 8, s2 floordiv 4)>
// CHECK-LABEL: func @reshaped
// CHECK-SAME: memspace.grid_size = [#[[$X]], #[[$Y]], #{{.*}}]
// CHECK-SAME: memspace.grid_symbols = array<i64: 0, 1, 0, 2, 1, 0>
func.func @reshaped(%a: memref<8x?x?xf32>, %b: memref<?xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %flat = memref.collapse_shape %a [[0, 1], [2]] : memref<8x?x?xf32> into memref<?x?xf32>
  %rows = memref.dim %flat, %c0 : memref<?x?xf32>
  %columns = memref.dim %flat, %c1 : memref<?x?xf32>
  scf.forall (%i, %j) in (%rows, %columns) {
    memref.store %f, %flat[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  %n = memref.dim %b, %c0 : memref<?xf32>
  %parts = arith.divui %n, %c4 : index
  %wide = memref.expand_shape %b [[0, 1]] output_shape [%parts, 4] : memref<?xf32> into memref<?x4xf32>
  %again = memref.cast %wide : memref<?x4xf32> to memref<?x?xf32>
  %n2 = memref.dim %again, %c0 : memref<?x?xf32>
  %n3 = memref.dim %again, %c1 : memref<?x?xf32>
  scf.forall (%i, %j) in (%n2, %n3) {
    memref.store %f, %again[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
