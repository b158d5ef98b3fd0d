// RUN: memspace-test-opt %s -memspace-map-to-threads=subgroup-size=64 -memspace-insert-barriers=subgroup-size=64 -memspace-verify-barriers=subgroup-size=64 | FileCheck %s

// Lanes by a mapping of another dialect, outside of a warp forall: in a workgroup of one
// subgroup they are its threads.

// CHECK-LABEL: @lanes
// CHECK-NOT: scf.forall
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: memref.store {{.*}}[%[[T]]]
// CHECK: gpu.barrier{{.*}}
// CHECK: memref.load
// CHECK: memref.store {{.*}}[%[[T]]]
#wg = #gpu.address_space<workgroup>
func.func @lanes(%x: memref<64xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c63 = arith.constant 63 : index
  %m = memref.alloc() : memref<64xf32, #wg>
  scf.forall (%t) in (64) {
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %m[%t] : memref<64xf32, #wg>
  } {mapping = [#door.lane<0>]}
  scf.forall (%t) in (64) {
    %r = arith.subi %c63, %t : index
    %w = memref.load %m[%r] : memref<64xf32, #wg>
    memref.store %w, %y[%t] : memref<64xf32>
  } {mapping = [#door.lane<0>]}
  return
}

// Inside of a forall of workgroups, with fewer iterations than lanes.

// CHECK-LABEL: @lanes_of_workgroups
// CHECK-DAG: gpu.block_id x
// CHECK-DAG: %[[T:.*]] = gpu.thread_id x
// CHECK: arith.cmpi {{.*}}
// CHECK: scf.if
// CHECK: memref.store
func.func @lanes_of_workgroups(%y: memref<4x32xf32>, %f: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  scf.forall (%b) in (4) {
    scf.forall (%t) in (32) {
      memref.store %f, %y[%b, %t] : memref<4x32xf32>
    } {mapping = [#door.lane<0>]}
  } {mapping = [#door.group<0>]}
  return
}

// A workgroup of several subgroups: each of them executes it, and of threads in
// different ones nothing is promised.

// CHECK-LABEL: @lanes_of_each_subgroup
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[L:.*]] = affine.apply #{{.*}}[%[[T]]]
// CHECK: memref.store {{.*}}[%[[L]]] : memref<64xf32, #gpu.address_space<private>>
func.func @lanes_of_each_subgroup(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %m = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  scf.forall (%t) in (64) {
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %m[%t] : memref<64xf32, #gpu.address_space<private>>
  } {mapping = [#door.lane<0>]}
  return
}
