// RUN: not memspace-opt %s -memspace-rocdl-pipeline=chip=sm_90 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: not memspace-opt %s -memspace-rocdl-backend-pipeline=chip=sm_90 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: not memspace-opt %s -memspace-nvvm-pipeline=chip=gfx942 2>&1 | FileCheck %s --check-prefix=NVIDIA

// AMD: error: chip 'sm_90' is compiled by the NVPTX backend, and this pipeline is for AMDGPU; use memspace-nvvm-backend-pipeline, or the one to it from tensors
// NVIDIA: error: chip 'gfx942' is compiled by the AMDGPU backend, and this pipeline is for NVPTX; use memspace-rocdl-backend-pipeline, or the one to it from tensors
func.func @nothing() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  return
}
