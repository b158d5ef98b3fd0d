func.func @kernel(%n: index, %out: memref<8xf32>, %in: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = bufferization.to_tensor %in restrict : memref<8xf32> to tensor<8xf32>
  %e0 = tensor.empty() : tensor<8xf32>
  %e1 = tensor.empty() : tensor<2x4xf32>
  %a = linalg.copy ins(%x : tensor<8xf32>) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %f = arith.constant 2.0 : f32
  %b = linalg.fill ins(%f : f32) outs(%e1 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (tensor<8xf32>, tensor<2x4xf32>) {
    %pe = tensor.expand_shape %p [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    %qc = tensor.collapse_shape %q [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    scf.yield %qc, %pe : tensor<8xf32>, tensor<2x4xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
