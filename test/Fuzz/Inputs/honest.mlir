func.func @kernel(%in: memref<64xf32>, %idx: memref<64xi32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = lie.load_binding %in : memref<64xf32> -> tensor<64xf32>
  %i = bufferization.to_tensor %idx restrict : memref<64xi32> to tensor<64xi32>
  %e = tensor.empty() : tensor<64xf32>
  %a = lie.ew ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %b = lie.scatter ins(%x, %i : tensor<64xf32>, tensor<64xi32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>
  %o = lie.opaque %b, %x : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %f = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%t) in (16) shared_outs(%w = %f) -> (tensor<64xf32>) {
    %p = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)
    %s = tensor.extract_slice %o[%p] [4] [1] : tensor<64xf32> to tensor<4xf32>
    %q = tensor.extract_slice %i[%p] [4] [1] : tensor<64xi32> to tensor<4xi32>
    %d = tensor.extract_slice %x[%p] [4] [1] : tensor<64xf32> to tensor<4xf32>
    %u = lie.ew ins(%s, %d : tensor<4xf32>, tensor<4xf32>) outs(%d : tensor<4xf32>) {accumulates} -> tensor<4xf32>
    %v = lie.scatter ins(%u, %q : tensor<4xf32>, tensor<4xi32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
    %g = lie.opaque %v, %u : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %g into %w[%p] [4] [1] : tensor<4xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
