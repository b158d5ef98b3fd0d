// RUN: %python %S/run.py %s
// What was inserted into is read in one shape and updated in another: the copy
// of the destination ends in place. Found by memspace-fuzz --structured
// (seed 750100000013).
// EXPECT workgroup_bytes=64 barriers=4
// INPUT a2 = (np.arange(16, dtype=np.int32) * 5 % 16).reshape(16, 1)
// RESULT a3 = np.concatenate([a0[:3], a1, a0[19:]]).reshape(16, 2)[np.argsort(a2[:, 0])].T.ravel()
func.func @insert_then_update(%in: memref<32xi16>, %small: memref<16xi16>, %idx: memref<16x1xi32>, %out: memref<32xi16>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %a = bufferization.to_tensor %in restrict : memref<32xi16> to tensor<32xi16>
  %s = bufferization.to_tensor %small restrict : memref<16xi16> to tensor<16xi16>
  %i = bufferization.to_tensor %idx restrict : memref<16x1xi32> to tensor<16x1xi32>
  %t = tensor.insert_slice %s into %a[3] [16] [1] : tensor<16xi16> into tensor<32xi16>
  %rows = tensor.expand_shape %t [[0, 1]] output_shape [16, 2] : tensor<32xi16> into tensor<16x2xi16>
  %columns = tensor.expand_shape %t [[0, 1]] output_shape [2, 16] : tensor<32xi16> into tensor<2x16xi16>
  %u = memspace.scatter scatter_dims([1]) unique_indices in_bounds ins(%rows, %i : tensor<16x2xi16>, tensor<16x1xi32>) outs(%columns : tensor<2x16xi16>) -> tensor<2x16xi16>
  %all = tensor.collapse_shape %u [[0, 1]] : tensor<2x16xi16> into tensor<32xi16>
  bufferization.materialize_in_destination %all in restrict writable %out : (tensor<32xi16>, memref<32xi16>) -> ()
  return
}
