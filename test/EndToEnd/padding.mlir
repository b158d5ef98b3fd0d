// A padded tile takes in the assembly what was planned, and a word lies between
// its rows: the lanes read at multiples of 132 bytes, not of 128.
// RUN: memspace-opt %S/../Kernels/transpose-padded.mlir "-memspace-nvvm-pipeline=chip=sm_90 padding=true" -o %t.nvvm
// RUN: %python %src_root/utils/asm_workgroup_bytes.py %t.nvvm | FileCheck %s --check-prefix=NVIDIA
// RUN: %python %src_root/utils/asm_workgroup_bytes.py %t.nvvm --asm | FileCheck %s --check-prefix=PTX
// RUN: memspace-opt %S/../Kernels/transpose-padded.mlir "-memspace-rocdl-pipeline=chip=gfx942 padding=true" | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=AMD

// NVIDIA: sm_90 transpose_padded workgroup=4220 dynamic=0 private=0 malloc=no dynamic-stack=no calls=none
// AMD: gfx942 transpose_padded workgroup=4220 dynamic=0 private=0 malloc=no dynamic-stack=no calls=none
// PTX: 132
