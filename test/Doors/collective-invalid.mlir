// RUN: memspace-test-opt %s -memspace-normalize-kernels=subgroup-size=32 -verify-diagnostics

// What all threads contribute to is not understood yet, and not guessed at.
func.func @k(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  // expected-error @below {{collective op on tensors in a kernel: 'door.contribute' makes one value of what all threads contribute, which is not supported yet; bufferize it before}}
  %r = door.contribute %x into %e : tensor<64xf32> into tensor<64xf32> -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
