// RUN: memspace-test-opt %s "-memspace-kernel-pipeline=chip=gfx942 private-limit=8" -verify-diagnostics
// An op that may write what all threads read gets a copy; where that is too large
// to be private the threads share it as well.
func.func @kernel(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %e = tensor.empty() : tensor<64xi32>
  %s = linalg.add ins(%a, %a : tensor<64xi32>, tensor<64xi32>) outs(%e : tensor<64xi32>) -> tensor<64xi32>
  // expected-error @below {{'lie.opaque' op may write operand 0, which the threads of a workgroup share; let the op declare that it only reads it (MemoryEffectsOpInterface), or distribute it by a mapped scf.forall}}
  %o = lie.opaque %s, %a : tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>
  bufferization.materialize_in_destination %o in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
