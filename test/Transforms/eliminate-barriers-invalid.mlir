// RUN: memspace-opt %s -memspace-eliminate-barriers=subgroup-size=32 -split-input-file -verify-diagnostics

// H12: a barrier that only some threads reach.
func.func @divergent() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c8 = arith.constant 8 : index
  // expected-note @below {{where the condition comes from}}
  %in = arith.cmpi slt, %t, %c8 : index
  // expected-note @below {{the condition here differs between threads}}
  scf.if %in {
    // expected-error @below {{barrier that only some threads of the workgroup reach; move it out of the divergent region}}
    gpu.barrier
  }
  return
}

// -----

// A target is needed for the size of a subgroup.
// RUN: not memspace-opt %s -memspace-eliminate-barriers -split-input-file 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: {{.*}}target
func.func @no_barriers() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  return
}
