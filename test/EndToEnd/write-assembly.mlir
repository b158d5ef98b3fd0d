// RUN: rm -rf %t && memspace-opt %s -memspace-nvvm-pipeline -memspace-write-assembly=directory=%t/ptx -o /dev/null
// RUN: FileCheck %s --check-prefix=PTX < %t/ptx/copy_module.ptx
// RUN: memspace-opt %s -memspace-rocdl-pipeline -memspace-write-assembly=directory=%t/amd -o /dev/null
// RUN: FileCheck %s --check-prefix=AMD < %t/amd/copy_module.s

// PTX: .target sm_90
// PTX: .entry copy
// AMD: .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
// AMD: copy:
func.func @copy(%a: memref<64xf32>, %b: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %x = memref.load %a[%t] : memref<64xf32>
  memref.store %x, %b[%t] : memref<64xf32>
  return
}
