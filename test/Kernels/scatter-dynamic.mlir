// RUN: %python %S/run.py %s
// Extents that the launch decides: a gather of rows, added to other rows.
// DIM 20
// EXPECT workgroup_bytes=0 private_bytes<=4 barriers=0
// INPUT a1 = np.random.default_rng(18).integers(-4, 24, (20, 1))
// INPUT a2 = np.random.default_rng(19).integers(-4, 24, (20, 1))
// INPUT a0 = np.random.default_rng(20).integers(0, 9, (20, 20))
// INPUT a3 = np.ones((20, 20), np.float32)
// RESULT a3 = np.stack([1 + sum([a0[np.clip(a1[k, 0], 0, 19)] for k in range(20) if a2[k, 0] == i], np.zeros(20, np.float32)) for i in range(20)])
func.func @scatter_dynamic(%in: memref<?x?xf32>, %from: memref<?x1xi32>, %to: memref<?x1xi32>, %out: memref<?x?xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = bufferization.to_tensor %in restrict : memref<?x?xf32> to tensor<?x?xf32>
  %i = bufferization.to_tensor %from restrict : memref<?x1xi32> to tensor<?x1xi32>
  %j = bufferization.to_tensor %to restrict : memref<?x1xi32> to tensor<?x1xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<?x?xf32> to tensor<?x?xf32>
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %m = tensor.dim %t, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %g = memspace.gather gather_dims([0])
      ins(%t, %i : tensor<?x?xf32>, tensor<?x1xi32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = memspace.scatter scatter_dims([0])
      ins(%g, %j : tensor<?x?xf32>, tensor<?x1xi32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.addf %x, %old : f32
    memspace.yield %y : f32
  } -> tensor<?x?xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
