// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=sm_90 -split-input-file -verify-diagnostics

// Sums, then maxima of the same elements, by other workgroups: no race, but a
// barrier of a workgroup does not order them.
func.func @two(%u: memref<512xi32>, %i: memref<512xindex>, %out: memref<512xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  scf.forall (%b) in (4) {
    scf.forall (%t) in (128) {
      %w = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1)>(%b, %t)
      %x = memref.load %u[%w] : memref<512xi32>
      %p = memref.load %i[%w] : memref<512xindex>
      // expected-warning@+1 {{possible data race (RAW) with 'memref.atomic_rmw' in another workgroup, which no barrier orders}}
      %z = memref.atomic_rmw addi %x, %out[%p] : (i32, memref<512xi32>) -> i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  scf.forall (%b) in (4) {
    scf.forall (%t) in (128) {
      %w = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1)>(%b, %t)
      %x = memref.load %u[%w] : memref<512xi32>
      %p = memref.load %i[%w] : memref<512xindex>
      // expected-note@+1 {{the other access}}
      %z = memref.atomic_rmw maxs %x, %out[%p] : (i32, memref<512xi32>) -> i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// Sums and sums are one sum.
func.func @two(%u: memref<512xi32>, %i: memref<512xindex>, %out: memref<512xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  scf.forall (%b) in (4) {
    scf.forall (%t) in (128) {
      %w = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1)>(%b, %t)
      %x = memref.load %u[%w] : memref<512xi32>
      %p = memref.load %i[%w] : memref<512xindex>
      %z = memref.atomic_rmw addi %x, %out[%p] : (i32, memref<512xi32>) -> i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  scf.forall (%b) in (4) {
    scf.forall (%t) in (128) {
      %w = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1)>(%b, %t)
      %x = memref.load %u[%w] : memref<512xi32>
      %p = memref.load %i[%w] : memref<512xindex>
      %z = memref.atomic_rmw addi %x, %out[%p] : (i32, memref<512xi32>) -> i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
