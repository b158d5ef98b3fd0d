// RUN: %python %S/run.py %s
// Coordinates in another order than the dimensions: the column first.
// EXPECT workgroup_bytes=0 barriers=0
// INPUT a1 = np.random.default_rng(21).integers(0, 6, (40, 2)) + np.array([3, 0])
// RESULT a2 = a0[a1[:, 1], a1[:, 0]]
func.func @gather_columns_first(%x: memref<6x9xf32>, %index: memref<40x2xi32>, %out: memref<40xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<6x9xf32> to tensor<6x9xf32>
  %i = bufferization.to_tensor %index restrict : memref<40x2xi32> to tensor<40x2xi32>
  %e = tensor.empty() : tensor<40xf32>
  %g = memspace.gather gather_dims([1, 0])
      ins(%t, %i : tensor<6x9xf32>, tensor<40x2xi32>) outs(%e : tensor<40xf32>) -> tensor<40xf32>
  bufferization.materialize_in_destination %g in restrict writable %out : (tensor<40xf32>, memref<40xf32>) -> ()
  return
}
