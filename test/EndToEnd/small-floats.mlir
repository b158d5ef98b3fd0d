// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s
// RUN: memspace-opt %s -memspace-nvvm-pipeline=chip=sm_90 | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s

// Small floats that upstream converts, and moves of others.
// CHECK: scaled workgroup=0 {{.*}}calls=none
func.func @scaled(%s: memref<64xf8E8M0FNU>, %m: memref<64xf8E4M3FN>, %n: memref<64xf8E4M3FN>, %b: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %x = memref.load %s[%t] : memref<64xf8E8M0FNU>
  %y = arith.extf %x : f8E8M0FNU to f32
  memref.store %y, %b[%t] : memref<64xf32>
  %v = memref.load %m[%t] : memref<64xf8E4M3FN>
  memref.store %v, %n[%t] : memref<64xf8E4M3FN>
  return
}
