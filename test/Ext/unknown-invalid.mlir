// RUN: memspace-test-opt %s -memspace-kernel-pipeline=chip=gfx942 -verify-diagnostics

// An op of the dialect without the model.
func.func @unknown(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  // expected-error@+1 {{unknown op on a tensor in a kernel: 'ext.unknown' does not implement 'BufferizableOpInterface'; lower it to linalg, register a model for it, or one of 'StructuredOpInterface'}}
  %s = ext.unknown %t : tensor<8xi32> -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}
