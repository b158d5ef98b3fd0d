// RUN: %python %S/run.py %s
// Repeated places, no combiner: one of the updates of a place remains. Here all of a place
// are the same.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// INPUT a1 = np.random.default_rng(14).integers(0, 20, (300, 1))
// INPUT a0 = a1[:, 0] * 3 + 1
// INPUT a2 = np.zeros(20)
// RESULT a2 = np.where(np.isin(np.arange(20), a1), np.arange(20) * 3 + 1, 0)
func.func @scatter_overwrite(%in: memref<300xi16>, %index: memref<300x1xindex>, %out: memref<20xi16>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<300xi16> to tensor<300xi16>
  %i = bufferization.to_tensor %index restrict : memref<300x1xindex> to tensor<300x1xindex>
  %o = bufferization.to_tensor %out restrict writable : memref<20xi16> to tensor<20xi16>
  %s = memspace.scatter scatter_dims([0])
      ins(%u, %i : tensor<300xi16>, tensor<300x1xindex>) outs(%o : tensor<20xi16>) -> tensor<20xi16>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<20xi16>, memref<20xi16>) -> ()
  return
}
