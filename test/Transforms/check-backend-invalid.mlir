// RUN: memspace-opt %s -memspace-check-backend -split-input-file -verify-diagnostics

gpu.module @nvidia [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() {
    // expected-error @below {{cannot be compiled by the NVPTX backend: it has no syncscope "workgroup"; use one of "singlethread", "block", "cluster", "device"}}
    llvm.fence syncscope("workgroup") release
    llvm.return
  }
}

// -----

gpu.module @amd [#rocdl.target<chip = "gfx942">] {
  // expected-error @below {{cannot be compiled by the AMDGPU backend: it has no calling convention 'ptx_kernelcc'; leave it out}}
  llvm.func ptx_kernelcc @k() {
    llvm.return
  }
}

// -----

gpu.module @amd [#rocdl.target<chip = "gfx942">] {
  // expected-error @below {{cannot be compiled by the AMDGPU backend: nvvm.kernel is for NVPTX; use memspace-nvvm-backend-pipeline or an op of the gpu dialect}}
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @nvidia [#nvvm.target<chip = "sm_90">] {
  gpu.func @k() kernel {
    // expected-error @below {{cannot be compiled by the NVPTX backend: the op is for AMDGPU; use memspace-rocdl-backend-pipeline or an op of the gpu dialect}}
    amdgpu.lds_barrier
    gpu.return
  }
}

// -----

gpu.module @nvidia [#nvvm.target<chip = "sm_90">] {
  gpu.func @k() kernel {
    // expected-error @below {{the intrinsic 'llvm.amdgcn.wave.barrier' is for amdgcn; call one of this target}}
    llvm.call_intrinsic "llvm.amdgcn.wave.barrier"() : () -> ()
    gpu.return
  }
}

// -----

gpu.module @nvidia [#nvvm.target<chip = "sm_90">] {
  // expected-error @below {{there is no intrinsic 'llvm.no.such'; call another one}}
  llvm.func @llvm.no.such()
}

// -----

gpu.module @amd [#rocdl.target<chip = "gfx942">] {
  llvm.func @f()
  llvm.func @k() {
    // expected-error @below {{it has no calling convention 'swiftcc'; leave it out}}
    llvm.call swiftcc @f() : () -> ()
    llvm.return
  }
}

// -----

// What both take.
gpu.module @both [#nvvm.target<chip = "sm_90">, #rocdl.target<chip = "gfx942">] {
  llvm.func @f()
  llvm.func fastcc @k(%x: f32) -> f32 {
    llvm.fence syncscope("singlethread") release
    %y = llvm.call_intrinsic "llvm.fabs"(%x) : (f32) -> f32
    llvm.call @f() : () -> ()
    llvm.return %y : f32
  }
}
