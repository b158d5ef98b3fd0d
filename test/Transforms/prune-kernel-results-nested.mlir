// RUN: memspace-opt %s -pass-pipeline='builtin.module(builtin.module(memspace-prune-kernel-results))' | FileCheck %s
// RUN: memspace-opt %s -memspace-prune-kernel-results | FileCheck %s --check-prefix=OUTER

// A module around this one may launch the kernel, unless the module of the kernel
// is private. Where the pass sees the module around it, it sees all launches.

// CHECK-LABEL: module @inner
// CHECK:         gpu.func @open(%{{.*}}: memref<8xf32>)
// CHECK-NOT:     gpu.func @closed
// CHECK-LABEL: func @launch
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT:     memref.alloc
// OUTER-LABEL: module @inner
// OUTER-NOT:     gpu.func
// OUTER-LABEL: func @launch
// OUTER-NOT:     memref.alloc
module @outer attributes {gpu.container_module} {
  module @inner attributes {gpu.container_module} {
    gpu.module @kernels {
      gpu.func @open(%y: memref<8xf32>) kernel {
        %i = gpu.thread_id x
        %c = arith.constant 1.0 : f32
        memref.store %c, %y[%i] : memref<8xf32>
        gpu.return
      }
    }
    gpu.module @private_kernels attributes {sym_visibility = "private"} {
      gpu.func @closed(%y: memref<8xf32>) kernel {
        %i = gpu.thread_id x
        %c = arith.constant 1.0 : f32
        memref.store %c, %y[%i] : memref<8xf32>
        gpu.return
      }
    }
    func.func @launch() {
      %c1 = arith.constant 1 : index
      %a = memref.alloc() : memref<8xf32>
      %b = memref.alloc() : memref<8xf32>
      gpu.launch_func @kernels::@open blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>)
      gpu.launch_func @private_kernels::@closed blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<8xf32>)
      memref.dealloc %a : memref<8xf32>
      memref.dealloc %b : memref<8xf32>
      return
    }
  }
}
