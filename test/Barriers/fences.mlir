// What delays or orders the accesses of one thread only is no access, and no
// barrier: between threads it orders nothing.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 | memspace-opt -memspace-verify-barriers=chip=gfx942 | FileCheck %s
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s --check-prefix=RACE
// RACE-COUNT-2: error: data race (RAW) with 'memref.load'

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: @amd
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         return
func.func @amd(%out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %c127 = arith.constant 127 : index
  %z = arith.constant 1.0 : f32
  %r = arith.subi %c127, %t : index
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %z, %a[%t] : memref<128xf32, #wg>
  llvm.fence syncscope("workgroup") release
  rocdl.s.waitcnt 0
  rocdl.s.wait.dscnt 0
  rocdl.sched.barrier 0
  rocdl.s.setprio 1
  %v = memref.load %a[%r] : memref<128xf32, #wg>
  llvm.fence syncscope("workgroup") acquire
  memref.store %v, %out[%t] : memref<128xf32>
  return
}

// CHECK-LABEL: @nvidia
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         return
func.func @nvidia(%out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %c127 = arith.constant 127 : index
  %z = arith.constant 1.0 : f32
  %r = arith.subi %c127, %t : index
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %z, %a[%t] : memref<128xf32, #wg>
  nvvm.memory.barrier #nvvm.mem_scope<cta>
  nvvm.fence.sc.cluster
  %v = memref.load %a[%r] : memref<128xf32, #wg>
  memref.store %v, %out[%t] : memref<128xf32>
  return
}
