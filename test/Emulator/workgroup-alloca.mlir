// A workgroup's memory is one buffer for all of its threads, whichever op makes it.
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 2>&1 | FileCheck %s --check-prefix=VERIFY
// RUN: memspace-runner %s --kernel=ordered --out=0:%t.npy
// RUN: not memspace-runner %s --kernel=racy 2>&1 | FileCheck %s

// CHECK: error: data race in workgroup memory
// VERIFY-NOT: error
// VERIFY: :[[# @LINE + 25]]:3: error: data race (RAW, inside a subgroup)
// VERIFY-NOT: error
!shared = memref<64xf32, #gpu.address_space<workgroup>>

func.func @ordered(%out: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c63 = arith.constant 63 : index
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c63, %tid : index
  %a = memref.alloca() : !shared
  memref.store %one, %a[%tid] : !shared
  gpu.barrier
  %v = memref.load %a[%rev] : !shared
  memref.store %v, %out[%tid] : memref<64xf32>
  return
}

func.func @racy(%out: memref<64xf32>) attributes {
    gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c63 = arith.constant 63 : index
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c63, %tid : index
  %a = memref.alloca() : !shared
  memref.store %one, %a[%tid] : !shared
  %v = memref.load %a[%rev] : !shared
  memref.store %v, %out[%tid] : memref<64xf32>
  return
}
