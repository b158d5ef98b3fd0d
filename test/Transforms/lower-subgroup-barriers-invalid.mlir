// RUN: memspace-opt %s -memspace-lower-subgroup-barriers -verify-diagnostics

func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{has no target; run memspace-outline-kernels with the option 'chip' or attach a target attribute}}
  memspace.subgroup_barrier
  return
}
