// The number of workgroups needs no device library: the launch left it behind the arguments.
// RUN: memspace-opt %s -memspace-rocdl-backend-pipeline=chip=gfx942 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-nvvm-backend-pipeline=chip=sm_90 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=NVIDIA

// Behind the five words of the descriptor, 40 bytes.
// AMD: s_load_dword {{.*}}, 0x2c
// AMD: .offset: 40
// AMD-NEXT: .size: 4
// AMD-NEXT: .value_kind: hidden_block_count_x
// NVIDIA: %nctaid.y
func.func @k(%m: memref<?xindex>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %y = gpu.grid_dim y
  %c0 = arith.constant 0 : index
  memref.store %y, %m[%c0] : memref<?xindex>
  return
}
