// RUN: %python %S/run.py %s
// Rows of a table by an index, as an embedding: out of range counts as the nearest row.
// Nothing is staged, nobody waits.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// INPUT a1 = np.random.default_rng(3).integers(-5, 60, (24, 1))
// RESULT a2 = a0[np.clip(a1[:, 0], 0, 49)]
func.func @gather_embedding(%table: memref<50x33xf32>, %index: memref<24x1xi32>, %out: memref<24x33xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %table restrict : memref<50x33xf32> to tensor<50x33xf32>
  %i = bufferization.to_tensor %index restrict : memref<24x1xi32> to tensor<24x1xi32>
  %e = tensor.empty() : tensor<24x33xf32>
  %r = memspace.gather gather_dims([0])
      ins(%t, %i : tensor<50x33xf32>, tensor<24x1xi32>) outs(%e : tensor<24x33xf32>) -> tensor<24x33xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<24x33xf32>, memref<24x33xf32>) -> ()
  return
}
