// A loop of another dialect that carries tensors: the way out is a loop that can
// be bufferized.
// RUN: memspace-opt %s -verify-diagnostics -memspace-normalize-kernels=chip=gfx942 -o /dev/null
func.func @carried(%x: memref<64xf32>, %o: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  // expected-error @below {{unknown op on a tensor in a kernel: 'affine.for' does not implement 'BufferizableOpInterface'; make a 'scf.for', 'scf.while' or mapped 'scf.forall' of it, register a model for it}}
  %r = affine.for %i = 0 to 4 iter_args(%a = %xt) -> (tensor<64xf32>) {
    %e = tensor.empty() : tensor<64xf32>
    %n = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    affine.yield %n : tensor<64xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
