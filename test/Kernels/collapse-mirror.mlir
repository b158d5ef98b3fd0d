// RUN: %python %S/run.py %s
// A tile is collapsed and mirrored by linear threads.
// EXPECT workgroup_bytes=256 barriers=1
// RESULT a1 = a0.ravel()[::-1]
func.func @collapse_mirror(%x: memref<8x8xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8x8xf32> to tensor<8x8xf32>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<8x8xf32>
  %t = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %te) -> (tensor<8x8xf32>) {
    %v = tensor.extract %xt[%i, %j] : tensor<8x8xf32>
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %f = tensor.collapse_shape %t [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  %oe = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xf32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %f[%j] : tensor<64xf32>
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()

  return
}
