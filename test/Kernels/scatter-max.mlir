// RUN: %python %S/run.py %s
// A combiner that no atomic instruction has: a compare-and-swap loop.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=1
// INPUT a1 = np.random.default_rng(10).integers(0, 20, (300, 1))
// RESULT a2 = np.array([max([0] + [a0[k] for k in range(300) if a1[k, 0] == i]) for i in range(20)])
func.func @scatter_max(%in: memref<300xf32>, %index: memref<300x1xi32>, %out: memref<20xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<300xf32> to tensor<300xf32>
  %i = bufferization.to_tensor %index restrict : memref<300x1xi32> to tensor<300x1xi32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %s = memspace.scatter scatter_dims([0]) in_bounds
      ins(%u, %i : tensor<300xf32>, tensor<300x1xi32>) outs(%f : tensor<20xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.maximumf %x, %old : f32
    memspace.yield %y : f32
  } -> tensor<20xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<20xf32>, memref<20xf32>) -> ()
  return
}
