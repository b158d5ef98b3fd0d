// RUN: memspace-test-opt %s -memspace-map-to-threads=subgroup-size=32 -verify-diagnostics

// Each of the two subgroups has these lanes, and both would write.
func.func @lanes(%y: memref<32xf32>, %f: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{lane-mapped 'scf.forall' outside of a warp-mapped one; lanes are the threads of one subgroup, and the workgroup has several}}
  scf.forall (%t) in (32) {
    memref.store %f, %y[%t] : memref<32xf32>
  } {mapping = [#door.lane<0>]}
  return
}
