// Without `chip` the pipelines to assembly have a default, which wins over the
// target in the IR, here one with too little memory; the kernel pipeline has none.
// RUN: memspace-opt %s --memspace-rocdl-pipeline | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s --memspace-nvvm-pipeline | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=NVIDIA
// RUN: memspace-opt %S/reverse.mlir --memspace-rocdl-backend-pipeline | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=BACKEND
// RUN: not memspace-opt %s --memspace-kernel-pipeline 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: memspace-opt --help | FileCheck %s --check-prefix=HELP

// AMD: gfx942 copy workgroup=24576 dynamic=0
// NVIDIA: sm_90 copy workgroup=24576 dynamic=0
// BACKEND: gfx942 reverse workgroup=520
// KERNEL: default-chip.mlir:[[#@LINE+8]]:{{[0-9]+}}: error: kernel 'copy' needs 24576 bytes of workgroup memory, but a workgroup may use 16384 on generic
// HELP: --memspace-rocdl-pipeline
// HELP: --chip=<string> - Chip name; when empty, the pipelines to assembly take gfx942 or sm_90, whatever the IR says, and the kernel pipeline the target in the IR, else a generic GPU from the numbers

#wg = #gpu.address_space<workgroup>
#gpu = #dlti.target_device_spec<"subgroup_size" = 32 : i64, "workgroup_bytes" = 16384 : i64, "max_workgroup_bytes" = 16384 : i64>

module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #gpu>} {
  func.func @copy(%x: memref<128xf32>, %out: memref<128xf32>)
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c127 = arith.constant 127 : index
    %tile = memref.alloc() : memref<6144xf32, #wg>
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<128xf32>
    memref.store %v, %tile[%i] : memref<6144xf32, #wg>
    gpu.barrier
    %j = arith.subi %c127, %i : index
    %w = memref.load %tile[%j] : memref<6144xf32, #wg>
    memref.store %w, %out[%i] : memref<128xf32>
    return
  }
}
