// A forall promises that its iterations do not touch what another writes: a
// promise that is broken for certain is none, before the forall is mapped and
// after. Where its threads wait for each other in it, it promises nothing.
// RUN: memspace-opt %s -split-input-file -memspace-verify-barriers=chip=gfx942 -verify-diagnostics
// RUN: not memspace-opt %s -split-input-file -memspace-map-to-threads=chip=gfx942 \
// RUN:   -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// CHECK: error: data race (WAW, inside a subgroup) of threads that execute this 'memref.store' at once
func.func @one_place(%x: memref<64xf32>, %o: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !shared
  scf.forall (%t) in (64) {
    %v = memref.load %x[%t] : memref<64xf32>
    // expected-error @+2 {{data race (WAW, inside a subgroup) of threads that execute this 'memref.store' at once}}
    // expected-note @+1 {{touch byte 0}}
    memref.store %v, %a[%c0] : !shared
  } {mapping = [#gpu.thread<x>]}
  gpu.barrier
  scf.forall (%t) in (64) {
    %v = memref.load %a[%t] : !shared
    memref.store %v, %o[%t] : memref<64xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// CHECK: error: data race (RAW, inside a subgroup) with 'memref.load'
func.func @reversed(%x: memref<64xf32>, %o: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c63 = arith.constant 63 : index
  %a = memref.alloc() : !shared
  // expected-note @below {{threads part here}}
  scf.forall (%t) in (64) {
    %v = memref.load %x[%t] : memref<64xf32>
    // expected-error @below {{data race (RAW, inside a subgroup) with 'memref.load': both are in a region that not all threads enter}}
    memref.store %v, %a[%t] : !shared
    %r = arith.subi %c63, %t : index
    // expected-note @below {{the other access; thread (63, 0, 0)}}
    %w = memref.load %a[%r] : !shared
    memref.store %w, %o[%t] : memref<64xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// The lanes of two subgroups: what each forall promises is wrong.

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// CHECK: error: data race (WAW) of threads that execute this 'memref.store' at once
func.func @lanes_of_two_subgroups(%x: memref<64xf32>, %o: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : !shared
  scf.forall (%w) in (2) {
    scf.forall (%l) in (64) {
      %v = memref.load %x[%l] : memref<64xf32>
      // expected-error @+2 {{data race (WAW) of threads that execute this 'memref.store' at once}}
      // expected-note @+1 {{touch byte 0}}
      memref.store %v, %a[%l] : !shared
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.warp<x>]}
  gpu.barrier
  scf.forall (%t) in (128) {
    %m = arith.remui %t, %c64 : index
    %v = memref.load %a[%m] : !shared
    memref.store %v, %o[%t] : memref<128xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// Scratch of one subgroup that all of them use: the lanes of the others are not
// promised apart, whatever the places, nor the lanes of one from one forall of
// lanes to the next.

!shared = memref<64xf32, #gpu.address_space<workgroup>>

func.func @scratch_of_all_subgroups(%x: memref<128xf32>, %to: memref<64xindex>, %o: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %a = memref.alloc() : !shared
  // expected-note @below {{threads part here}}
  scf.forall (%w) in (2) {
    scf.forall (%l) in (64) {
      %i = memref.load %to[%l] : memref<64xindex>
      %v = memref.load %x[%l] : memref<128xf32>
      // CHECK: error: possible data race (WAW) of threads that execute this 'memref.store' at once
      // expected-error @below {{possible data race (RAW, inside a subgroup) with 'memref.load'}}
      memref.store %v, %a[%i] : !shared
    } {mapping = [#gpu.lane<linear_dim_0>]}
    scf.forall (%l) in (64) {
      // expected-note @below {{the other access}}
      %v = memref.load %a[%l] : !shared
      %p = affine.apply affine_map<(w, l) -> (w * 64 + l)>(%w, %l)
      memref.store %v, %o[%p] : memref<128xf32>
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.warp<x>]}
  return
}

// -----

// The lanes of a subgroup share an iteration of a forall over subgroups.

func.func @all_lanes_in_one_iteration(%x: memref<128xf32>, %to: memref<64xindex>, %o: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  scf.forall (%w) in (2) {
    %l = gpu.lane_id
    %i = memref.load %to[%l] : memref<64xindex>
    %p = affine.apply affine_map<(w, i) -> (w * 64 + i)>(%w, %i)
    %v = memref.load %x[%p] : memref<128xf32>
    // CHECK: error: possible data race (WAW, inside a subgroup) of threads that execute this 'memref.store' at once
    // expected-error @+2 {{possible data race (WAW, inside a subgroup) of threads that execute this 'memref.store' at once}}
    // expected-note @+1 {{may touch byte 0}}
    memref.store %v, %o[%p] : memref<128xf32>
  } {mapping = [#gpu.warp<x>]}
  return
}

// -----

// Each subgroup executes the iterations of a forall over lanes.

func.func @lanes_of_each_subgroup(%x: memref<64xf32>, %to: memref<64xindex>, %o: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  scf.forall (%l) in (64) {
    %i = memref.load %to[%l] : memref<64xindex>
    %v = memref.load %x[%l] : memref<64xf32>
    // CHECK: error: possible data race (WAW) of threads that execute this 'memref.store' at once
    // expected-error @+2 {{possible data race (WAW) of threads that execute this 'memref.store' at once}}
    // expected-note @+1 {{may touch byte 0}}
    memref.store %v, %o[%i] : memref<64xf32>
  } {mapping = [#gpu.lane<linear_dim_0>]}
  return
}

// -----

// Different iterations of a loop inside of the forall: nothing orders those of
// two threads.

!shared = memref<68xf32, #gpu.address_space<workgroup>>

// CHECK: error: data race (WAW, {{.*}}inside a subgroup)
func.func @in_a_loop(%x: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : !shared
  // expected-note @below {{threads part here}}
  scf.forall (%t) in (64) {
    %v = memref.load %x[%t] : memref<64xf32>
    // expected-note @below {{in another iteration of this loop}}
    scf.for %i = %c0 to %c4 step %c1 {
      %r = arith.addi %t, %i : index
      // expected-error @+3 {{data race (WAW, inside a subgroup) of threads that execute this 'memref.store' at once}}
      // expected-error @+2 {{data race (WAW, loop-carried, inside a subgroup) with 'memref.store'}}
      // expected-note @+1 {{touch byte 4}}
      memref.store %v, %a[%r] : !shared
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
