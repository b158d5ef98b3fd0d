// Above NVIDIA's static limit the arena is dynamic, its bytes are recorded.
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=sm_90 -memspace-nvvm-backend-pipeline | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=NVIDIA
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=gfx942 -memspace-rocdl-backend-pipeline | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=sm_90 -memspace-nvvm-backend-pipeline | FileCheck %s --check-prefix=MODULE

#wg = #gpu.address_space<workgroup>

// MODULE: memspace.kernels = {large = {memspace.dynamic_workgroup_bytes = 65536 : i64

// AMD:    gfx942 large workgroup=65536 dynamic=0 private=0 malloc=no dynamic-stack=no calls=none
// NVIDIA: sm_90 large workgroup=0 dynamic=65536 private=0 malloc=no dynamic-stack=no calls=none
func.func @large(%x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %c63 = arith.constant 63 : index
  %a = memref.alloc() : memref<64x128xf32, #wg>
  %b = memref.alloc() : memref<64x128xf32, #wg>
  %0 = memref.load %x[%i] : memref<?xf32>
  memref.store %0, %a[%i, %i] : memref<64x128xf32, #wg>
  memref.store %0, %b[%i, %i] : memref<64x128xf32, #wg>
  gpu.barrier
  %j = arith.subi %c63, %i : index
  %1 = memref.load %a[%j, %j] : memref<64x128xf32, #wg>
  %2 = memref.load %b[%j, %j] : memref<64x128xf32, #wg>
  %3 = arith.addf %1, %2 : f32
  memref.store %3, %x[%i] : memref<?xf32>
  return
}
