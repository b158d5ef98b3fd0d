// Copies that nobody waits for, in loops that are executed by numbers: a hazard
// with each on paths through thousands of states. The search has a limit, and
// is made without states then; the answer is the same.
// RUN: not memspace-opt %s -memspace-insert-barriers=chip=sm_90 -o /dev/null \
// RUN:   2>&1 | FileCheck %s
// RUN: mlir-opt %s -convert-scf-to-cf -o %t
// RUN: not memspace-opt %t -memspace-insert-barriers=chip=sm_90 -o /dev/null \
// RUN:   2>&1 | FileCheck %s --check-prefix=BLOCKS

// CHECK: :[[@LINE+21]]:{{[0-9]+}}: error: may touch memory while the copy 'nvgpu.device_async_copy' is still in flight there; wait for it
// CHECK-NOT: error
// BLOCKS: error: may touch memory while the copy 'nvgpu.device_async_copy' is still in flight there; wait for it
// BLOCKS-NOT: error
gpu.module @m {
gpu.func @k(%in: memref<1024xf32>, %out: memref<1024xf32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %cS = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %x = gpu.thread_id x
  %rx = arith.subi %c63, %x : index
  %s0 = memref.alloc() : memref<4x64xf32, #gpu.address_space<workgroup>>
  %s1 = memref.alloc() : memref<4x64xf32, #gpu.address_space<workgroup>>
  %s2 = memref.alloc() : memref<4x64xf32, #gpu.address_space<workgroup>>
  %v1 = memref.load %s2[%c1, %x] : memref<4x64xf32, #gpu.address_space<workgroup>>
  memref.store %v1, %out[%x] : memref<1024xf32>
  %r4 = scf.for %i2 = %c0 to %c10 step %c1 iter_args(%p3 = %c0) -> (index) {
    %v6 = nvgpu.device_async_copy %in[%x], %s2[%p3, %x], 1 : memref<1024xf32> to memref<4x64xf32, #gpu.address_space<workgroup>>
    %v7 = nvgpu.device_async_create_group %v6
    %v8 = memref.load %s2[%p3, %rx] : memref<4x64xf32, #gpu.address_space<workgroup>>
    memref.store %v8, %out[%x] : memref<1024xf32>
    %r11 = scf.for %i9 = %c0 to %n step %c1 iter_args(%p10 = %c0) -> (index) {
      %v12 = arith.remui %i2, %cS : index
      %v14 = nvgpu.device_async_copy %in[%x], %s1[%v12, %x], 1 : memref<1024xf32> to memref<4x64xf32, #gpu.address_space<workgroup>>
      %v15 = nvgpu.device_async_create_group %v14
      %v16 = memref.load %s1[%v12, %rx] : memref<4x64xf32, #gpu.address_space<workgroup>>
      memref.store %v16, %out[%x] : memref<1024xf32>
      %r19 = scf.for %i17 = %c0 to %n step %c1 iter_args(%p18 = %c0) -> (index) {
        %v23 = memref.load %s1[%p3, %rx] : memref<4x64xf32, #gpu.address_space<workgroup>>
        memref.store %v23, %out[%x] : memref<1024xf32>
        %v24 = arith.addi %p18, %c1 : index
        %v25 = arith.remui %v24, %cS : index
        scf.yield %v25 : index
      }
      %v28 = memref.load %s1[%p3, %rx] : memref<4x64xf32, #gpu.address_space<workgroup>>
      memref.store %v28, %out[%x] : memref<1024xf32>
      %v29 = arith.addi %r19, %c1 : index
      %v31 = arith.cmpi ult, %v29, %cS : index
      %v30 = arith.select %v31, %v29, %c0 : index
      scf.yield %v30 : index
    }
    %v32 = arith.addi %r11, %c1 : index
    %v33 = arith.remui %v32, %cS : index
    scf.yield %v33 : index
  }
  %ge = nvgpu.device_async_create_group
  nvgpu.device_async_wait %ge
  gpu.return
}
}
