// RUN: memspace-test-opt %s -memspace-verify-barriers=subgroup-size=32 -verify-diagnostics

// What decides a region of another dialect is different in each thread.
#wg = #gpu.address_space<workgroup>
func.func @divergent_region(%v: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = door.thread_number
  // expected-note @below {{where the condition comes from}}
  %c = arith.cmpi eq, %t, %c0 : index
  // expected-note @below {{the condition here may differ between threads}}
  door.twice %c {
    // expected-error @below {{barrier that perhaps only some threads of the workgroup reach; move it out of the divergent region}}
    door.fence workgroup
  }
  return
}
