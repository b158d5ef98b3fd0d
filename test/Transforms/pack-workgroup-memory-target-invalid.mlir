// RUN: memspace-opt %s -memspace-pack-workgroup-memory="chip=gfx1" -verify-diagnostics

// expected-error @below {{unknown chip 'gfx1'}}
func.func @kernel() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  return
}
