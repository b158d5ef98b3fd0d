// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=gfx942 -memspace-rocdl-backend-pipeline | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=sm_90 -memspace-nvvm-backend-pipeline | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=NVIDIA

#wg = #gpu.address_space<workgroup>

// AMD:    gfx942 reverse workgroup=520 dynamic=0 private=0 malloc=no dynamic-stack=no calls=none
// NVIDIA: sm_90 reverse workgroup=520 dynamic=0 private=0 malloc=no dynamic-stack=no calls=none
func.func @reverse(%x: memref<128xf32>, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %tile = memref.alloc() : memref<130xf32, #wg>
  %i = gpu.thread_id x
  %0 = memref.load %x[%i] : memref<128xf32>
  %1 = arith.mulf %0, %0 : f32
  memref.store %1, %tile[%i] : memref<130xf32, #wg>
  gpu.barrier
  %j = arith.subi %c127, %i : index
  %2 = memref.load %tile[%j] : memref<130xf32, #wg>
  memref.store %2, %out[%i] : memref<128xf32>
  return
}
