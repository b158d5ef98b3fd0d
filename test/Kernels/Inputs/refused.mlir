// More shared memory than any chip has; rightly refused.
// EXPECT refused "262144 bytes"
// RESULT a1 = a0.reshape(256, -1)[::-1].ravel()
func.func @refused(%x: memref<65536xi32>, %out: memref<65536xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<65536xi32> to tensor<65536xi32>
  %te = tensor.empty() : tensor<65536xi32>
  %t = scf.forall (%i) in (256) shared_outs(%o = %te) -> (tensor<65536xi32>) {
    %k = affine.apply affine_map<(d0) -> (d0 * 256)>(%i)
    %s = tensor.extract_slice %xt[%k] [256] [1] : tensor<65536xi32> to tensor<256xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%k] [256] [1] : tensor<256xi32> into tensor<65536xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<65536xi32>
  %r = scf.forall (%i) in (256) shared_outs(%o = %oe) -> (tensor<65536xi32>) {
    %k = affine.apply affine_map<(d0) -> (d0 * 256)>(%i)
    %l = affine.apply affine_map<(d0) -> (65280 - d0 * 256)>(%i)
    %s = tensor.extract_slice %t[%l] [256] [1] : tensor<65536xi32> to tensor<256xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%k] [256] [1] : tensor<256xi32> into tensor<65536xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<65536xi32>, memref<65536xi32>) -> ()
  return
}
