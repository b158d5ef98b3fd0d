// Reductions of a subgroup by shuffles, whole and in clusters; f64 would need two.
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-nvvm-pipeline=chip=sm_90 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=NV
// RUN: sed 's/f32/f64/g' %s | not memspace-opt -memspace-nvvm-pipeline=chip=sm_90 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: sed 's/f32/f64/g' %s | not memspace-opt -memspace-rocdl-pipeline=chip=gfx942 2>&1 | FileCheck %s --check-prefix=WIDE
// AMD-LABEL: sum:
// AMD-COUNT-6: ds_{{swizzle|bpermute}}
// AMD-NOT: ds_{{swizzle|bpermute}}
// AMD-LABEL: clusters:
// AMD-COUNT-3: ds_{{swizzle|bpermute}}
// AMD-NOT: ds_{{swizzle|bpermute}}
// NV-LABEL: .entry sum
// NV-COUNT-5: shfl.sync.bfly
// NV-NOT: shfl.sync
// NV-LABEL: .entry clusters
// NV-COUNT-3: shfl.sync.bfly
// NV-NOT: shfl.sync
// WIDE: error: 'gpu.subgroup_reduce' op on 'f64' has no lowering: 32 bits are exchanged between lanes; reduce halves, or use workgroup memory
func.func @sum(%x: memref<64xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %v = memref.load %x[%i] : memref<64xf32>
  %s = gpu.subgroup_reduce add %v : (f32) -> f32
  memref.store %s, %y[%i] : memref<64xf32>
  return
}
func.func @clusters(%x: memref<64xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %v = memref.load %x[%i] : memref<64xf32>
  %s = gpu.subgroup_reduce maximumf %v cluster(size = 8) : (f32) -> f32
  memref.store %s, %y[%i] : memref<64xf32>
  return
}
