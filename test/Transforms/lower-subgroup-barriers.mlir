// RUN: memspace-opt %s -memspace-outline-kernels -memspace-lower-subgroup-barriers | FileCheck %s

// Without a chip the target attribute of the IR is kept as it is.

// CHECK: gpu.module @k_module [#nvvm.target<chip = "sm_80", features = "+ptx75">]
// CHECK:   nvvm.bar.warp.sync
// CHECK: gpu.module @already [#rocdl.target<chip = "gfx90a">]
// CHECK:   llvm.fence syncscope("wavefront") release
// CHECK:   llvm.call_intrinsic "llvm.amdgcn.wave.barrier"
// CHECK:   llvm.fence syncscope("wavefront") acquire
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>,
                           gpu.target = #nvvm.target<chip = "sm_80", features = "+ptx75">} {
  memspace.subgroup_barrier
  return
}
gpu.module @already [#rocdl.target<chip = "gfx90a">] {
  gpu.func @g() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    memspace.subgroup_barrier
    gpu.return
  }
}
