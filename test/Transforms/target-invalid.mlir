// RUN: not memspace-opt %s -memspace-kernel-pipeline=chip=gfx000 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not memspace-opt %s -memspace-kernel-pipeline 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not memspace-opt %s -memspace-kernel-pipeline="chip=sm_90 private-limit=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not memspace-opt %s -memspace-kernel-pipeline="chip=gfx942 workgroup-limit=65537" 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not memspace-opt %s -memspace-kernel-pipeline="subgroup-size=1025" 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: memspace-opt %s -memspace-kernel-pipeline="chip=gfx942 workgroup-limit=65536" | FileCheck %s --check-prefix=NUMBERS
// RUN: memspace-opt %s -memspace-kernel-pipeline="subgroup-size=32 workgroup-limit=1024" | FileCheck %s --check-prefix=NUMBERS

// CHIP: error: unknown chip 'gfx000'; known chips: {{.*}}gfx942{{.*}}sm_90
// NONE: error: kernel 'k' has no target; give the option 'chip' (for example chip=gfx942) or attach a target attribute
// NEGATIVE: error: the limits and the subgroup size must not be negative
// MORE: error: the workgroup limit of 65537 bytes is more than the 65536 that a workgroup has on gfx942
// LARGE: error: the subgroup size of 1025 is more than the 1024 threads that a workgroup has
// NUMBERS: memspace.workgroup_bytes = 0
func.func @k(%out: memref<64xf32>, %v: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  memref.store %v, %out[%t] : memref<64xf32>
  return
}
