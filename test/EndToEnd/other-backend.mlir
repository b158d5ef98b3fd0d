// A kernel that was outlined for one vendor, in the pipeline of the other, which
// ended in an error of LLVM.
// RUN: not memspace-opt %s -memspace-outline-kernels=chip=gfx942 -memspace-nvvm-pipeline 2>&1 | FileCheck %s --check-prefix=NVVM
// RUN: not memspace-opt %s -memspace-outline-kernels=chip=sm_90 -memspace-rocdl-backend-pipeline 2>&1 | FileCheck %s --check-prefix=ROCDL
// RUN: not memspace-opt %s -memspace-check-backend=backend=spirv 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// NVVM: other-backend.mlir:[[#@LINE+4]]:1: error: gpu.module 'k_module' has the target #rocdl.target<{{.*}}chip = "gfx942"{{.*}}>, which is not for the NVPTX backend; use memspace-rocdl-backend-pipeline or attach another target
// ROCDL: other-backend.mlir:[[#@LINE+3]]:1: error: gpu.module 'k_module' has the target #nvvm.target<{{.*}}chip = "sm_90"{{.*}}>, which is not for the AMDGPU backend; use memspace-nvvm-backend-pipeline or attach another target
// UNKNOWN-NOT: LLVM ERROR
// UNKNOWN: error: unknown backend 'spirv'; use 'rocdl' or 'nvvm'
func.func @k(%out: memref<64xf32>, %x: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  gpu.barrier
  memref.store %x, %out[%i] : memref<64xf32>
  return
}
