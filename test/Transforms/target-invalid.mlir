// RUN: not memspace-opt %s -memspace-kernel-pipeline=chip=gfx000 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not memspace-opt %s -memspace-kernel-pipeline 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not memspace-opt %s -memspace-kernel-pipeline="chip=sm_90 private-limit=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not memspace-opt %s -memspace-kernel-pipeline="chip=gfx942 workgroup-limit=2147483648" 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not memspace-opt %s -memspace-kernel-pipeline="subgroup-size=1025" 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not memspace-opt %s -memspace-kernel-pipeline="chip=sm_90 subgroup-size=64" 2>&1 | FileCheck %s --check-prefix=WARP
// RUN: not memspace-opt %s -memspace-kernel-pipeline="chip=gfx942 subgroup-size=128" 2>&1 | FileCheck %s --check-prefix=WAVE
// RUN: memspace-opt %s -memspace-kernel-pipeline="chip=gfx1100 subgroup-size=64" | FileCheck %s --check-prefix=NUMBERS
// RUN: memspace-opt %s -memspace-kernel-pipeline="chip=gfx942 workgroup-limit=1000000000" | FileCheck %s --check-prefix=NUMBERS
// RUN: memspace-opt %s -memspace-kernel-pipeline="subgroup-size=32 workgroup-limit=1024" | FileCheck %s --check-prefix=NUMBERS

// CHIP: error: unknown chip 'gfx000'; known chips: {{.*}}gfx942{{.*}}sm_90
// NONE: error: kernel 'k' has no target; give the option 'chip' (for example chip=gfx942) or attach a target attribute
// NEGATIVE: error: the limits and the subgroup size must not be negative
// MORE: error: the workgroup limit of 2147483648 bytes is more than 2147483647, which is all that addresses of workgroup memory reach; give a smaller one
// LARGE: error: the subgroup size of 1025 is more than the 1024 threads that a workgroup has
// WARP: error: the subgroup size of 64 is more than the 32 threads of the largest subgroup of sm_90; leave out 'subgroup-size', or give at most 32
// WAVE: error: the subgroup size of 128 is more than the 64 threads of the largest subgroup of gfx942; leave out 'subgroup-size', or give at most 64
// NUMBERS: memspace.workgroup_bytes = 0
func.func @k(%out: memref<64xf32>, %v: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  memref.store %v, %out[%t] : memref<64xf32>
  return
}
