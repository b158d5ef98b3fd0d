// RUN: %python %S/run.py %s
// A tile of an output that nobody has written is the destination of what goes
// elsewhere: it gets a tensor of its own, not a copy of what nobody has written.
// EXPECT barriers=0
// RESULT a1 = np.repeat(2 * a0.reshape(4, 64)[:, :4], 16, axis=0).reshape(256)
// RESULT a2 = a0
func.func @undefined_output_tile(%x: memref<256xi32>, %out: memref<256xi32>, %out2: memref<256xi32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<256xi32> to tensor<256xi32>
  %e = tensor.empty() : tensor<256xi32>
  %r:2 = scf.forall (%b) in (4) shared_outs(%o = %e, %o2 = %e) -> (tensor<256xi32>, tensor<256xi32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 64)>(%b)
    %tile = tensor.extract_slice %xt[%at] [64] [1] : tensor<256xi32> to tensor<64xi32>
    %dest = tensor.extract_slice %o2[%at] [64] [1] : tensor<256xi32> to tensor<64xi32>
    %doubled = scf.forall (%t) in (16) shared_outs(%d = %dest) -> (tensor<64xi32>) {
      %first = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)
      %part = tensor.extract_slice %tile[0] [4] [1] : tensor<64xi32> to tensor<4xi32>
      %p = tensor.empty() : tensor<4xi32>
      %sum = linalg.add ins(%part, %part : tensor<4xi32>, tensor<4xi32>) outs(%p : tensor<4xi32>) -> tensor<4xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %sum into %d[%first] [4] [1] : tensor<4xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %doubled into %o[%at] [64] [1] : tensor<64xi32> into tensor<256xi32>
      tensor.parallel_insert_slice %tile into %o2[%at] [64] [1] : tensor<64xi32> into tensor<256xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<256xi32>, memref<256xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %out2 : (tensor<256xi32>, memref<256xi32>) -> ()
  return
}
