// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=sm_90 -memspace-nvvm-backend-pipeline | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=NVIDIA
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=gfx942 -memspace-rocdl-backend-pipeline | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=AMD

#wg = #gpu.address_space<workgroup>

// NVIDIA: st.shared
// NVIDIA: bar.warp.sync -1
// NVIDIA: ld.shared
// AMD:    ds_write
// AMD:    ds_read
func.func @lanes(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %i = gpu.thread_id x
  %bytes = memref.alloc() {memspace.per_subgroup = 32 : i64} : memref<256xi8, #wg>
  %w = arith.divui %i, %c32 : index
  %l = arith.remui %i, %c32 : index
  %shift = arith.muli %w, %c128 : index
  %t = memref.view %bytes[%shift][] : memref<256xi8, #wg> to memref<32xf32, #wg>
  %0 = memref.load %x[%i] : memref<64xf32>
  memref.store %0, %t[%l] : memref<32xf32, #wg>
  memspace.subgroup_barrier
  %n = arith.addi %l, %c1 : index
  %m = arith.remui %n, %c32 : index
  %1 = memref.load %t[%m] : memref<32xf32, #wg>
  memref.store %1, %x[%i] : memref<64xf32>
  return
}
