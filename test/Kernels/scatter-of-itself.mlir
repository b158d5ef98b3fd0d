// RUN: %python %S/run.py %s
// What is gathered from is where the result goes, and what is scattered is scattered into:
// the old values are read, whatever the order of the threads.
// EXPECT workgroup_bytes<=512 private_bytes<=32
// INPUT a1 = np.random.default_rng(21).permutation(64).reshape(64, 1)
// INPUT a0 = np.arange(64) * 5
// INPUT a2 = np.arange(64) * 7
// RESULT a0 = a0[a1[:, 0]]
// RESULT a2 = (lambda o: (o.__setitem__(a1[:, 0], a2), o)[1])(a2.copy())
func.func @scatter_of_itself(%a: memref<64xi32>, %index: memref<64x1xi32>, %b: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %a restrict writable : memref<64xi32> to tensor<64xi32>
  %i = bufferization.to_tensor %index restrict : memref<64x1xi32> to tensor<64x1xi32>
  %o = bufferization.to_tensor %b restrict writable : memref<64xi32> to tensor<64xi32>
  %g = memspace.gather gather_dims([0]) ins(%t, %i : tensor<64xi32>, tensor<64x1xi32>) outs(%t : tensor<64xi32>) -> tensor<64xi32>
  %s = memspace.scatter scatter_dims([0]) unique_indices
      ins(%o, %i : tensor<64xi32>, tensor<64x1xi32>) outs(%o : tensor<64xi32>) -> tensor<64xi32>
  bufferization.materialize_in_destination %g in restrict writable %a : (tensor<64xi32>, memref<64xi32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %b : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
