// One rounding or two: the option decides.
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=TWO
// RUN: memspace-opt %s -memspace-rocdl-pipeline='chip=gfx942 contract=true' | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=ONE
// RUN: memspace-opt %s -memspace-nvvm-pipeline='chip=sm_90 contract=true' | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=PTX
// TWO: v_mul_f32
// TWO: v_add_f32
// ONE-NOT: v_mul_f32
// ONE: v_fma{{c?}}_f32
// PTX: fma.rn.f32
func.func @axpy(%X: memref<64xf32>, %Y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %x = memref.load %X[%i] : memref<64xf32>
  %y = memref.load %Y[%i] : memref<64xf32>
  %m = arith.mulf %x, %x : f32
  %s = arith.addf %m, %y : f32
  memref.store %s, %Y[%i] : memref<64xf32>
  return
}
