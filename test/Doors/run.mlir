// The ops of another dialect, packed and with barriers, and what becomes of them:
// the emulator finds no race and nothing undefined.

// RUN: memspace-test-opt %s -memspace-pack-workgroup-memory=chip=sm_90 -memspace-insert-barriers=chip=sm_90 -memspace-verify-barriers=chip=sm_90 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-test-opt %t.mlir -door-to-upstream -o %t.upstream.mlir
// RUN: memspace-runner %t.upstream.mlir --arg=0:iota | FileCheck %s --check-prefix=CLEAN

// CHECK: door.fence
// CHECK-COUNT-2: gpu.barrier
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0
#wg = #gpu.address_space<workgroup>
func.func @k(%in: memref<128xi32>, %out: memref<128xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c126 = arith.constant 126 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %first = arith.minui %r, %c126 : index
  %source = door.binding 0 : memref<128xi32>
  %target = door.binding 1 : memref<128xi32>
  %v = memref.load %source[%t] : memref<128xi32>
  %a = memref.alloc() : memref<128xi32, #wg>
  %n = door.rename %a : memref<128xi32, #wg> to memref<?xi32, #wg>
  door.store %v, %n[%t] : i32 to memref<?xi32, #wg>
  door.fence workgroup
  %s = door.load_pair %a[%first] : memref<128xi32, #wg> to i32
  %b = door.workgroup_number
  %c = arith.cmpi eq, %b, %c0 : index
  door.twice %c {
    %m = memref.alloc() : memref<128xi32, #wg>
    door.store %s, %m[%t] : i32 to memref<128xi32, #wg>
    %u = door.load_pair %m[%first] : memref<128xi32, #wg> to i32
    door.store %u, %target[%t] : i32 to memref<128xi32>
  }
  return
}
