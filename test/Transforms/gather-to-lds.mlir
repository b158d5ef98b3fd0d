// RUN: memspace-opt %s -split-input-file -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 | FileCheck %s

// Copies by the subgroup into workgroup memory. Each is a group of its own: a wait
// for all loads but some completes all but so many of the newest.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: func.func @two_stages
// CHECK:         amdgpu.gather_to_lds
// CHECK:         amdgpu.memory_counter_wait load(0)
// CHECK-NEXT:    scf.for
// The next tile is on its way while this one is read.
// CHECK:           gpu.barrier
// CHECK:           amdgpu.gather_to_lds
// CHECK:           memref.load
// CHECK-NOT:       gpu.barrier
// CHECK:           amdgpu.memory_counter_wait load(0)
// CHECK:         return
func.func @two_stages(%x: memref<1024xf32>, %y: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %last = arith.subi %c255, %t : index
  %subgroup = arith.divui %t, %c64 : index
  %base = arith.muli %subgroup, %c64 : index
  %a = memref.alloc() : memref<2x256xf32, #wg>
  amdgpu.gather_to_lds %x[%t], %a[%c0, %base] : f32, memref<1024xf32>, memref<2x256xf32, #wg>
  amdgpu.memory_counter_wait load(0)
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> f32 {
    %now = arith.remui %i, %c2 : index
    %next = arith.addi %i, %c1 : index
    %other = arith.remui %next, %c2 : index
    %tile = arith.muli %next, %c256 : index
    %from = arith.addi %tile, %t : index
    amdgpu.gather_to_lds %x[%from], %a[%other, %base] : f32, memref<1024xf32>, memref<2x256xf32, #wg>
    %v = memref.load %a[%now, %last] : memref<2x256xf32, #wg>
    %n = arith.addf %s, %v : f32
    amdgpu.memory_counter_wait load(0)
    scf.yield %n : f32
  }
  memref.store %sum, %y[%t] : memref<256xf32>
  return
}
