// RUN: not memspace-opt %s -memspace-kernel-pipeline=chip=gfx000 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not memspace-opt %s -memspace-kernel-pipeline 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not memspace-opt %s -memspace-kernel-pipeline="chip=sm_90 private-limit=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: memspace-opt %s -memspace-kernel-pipeline="subgroup-size=32 workgroup-limit=1024" | FileCheck %s --check-prefix=NUMBERS

// CHIP: error: unknown chip 'gfx000'; known chips: {{.*}}gfx942{{.*}}sm_90
// NONE: error: kernel 'k' has no target; give the option 'chip' (for example chip=gfx942) or attach a target attribute
// NEGATIVE: error: the limits and the subgroup size must not be negative
// NUMBERS: memspace.workgroup_bytes = 0
func.func @k(%out: memref<64xf32>, %v: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  memref.store %v, %out[%t] : memref<64xf32>
  return
}
