// RUN: %python %S/run.py %s
// The rows of the tile are one word longer, so that the lanes that read a
// column meet in no bank. 31 rows of 33 elements and one of 32.
// OPTIONS padding=true
// EXPECT workgroup_bytes=4220 sum_bytes=4220 barriers=1
// RESULT a1 = a0.T
func.func @transpose_padded(%x: memref<64x96xf32>, %out: memref<96x64xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 8, 1>, gpu.known_grid_size = array<i32: 3, 2, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64x96xf32> to tensor<64x96xf32>
  %oe = tensor.empty() : tensor<96x64xf32>
  %r = scf.forall (%by, %bx) in (2, 3) shared_outs(%ob = %oe) -> (tensor<96x64xf32>) {
    %te = tensor.empty() : tensor<32x32xf32>
    %t = scf.forall (%ty, %tx) in (8, 32) shared_outs(%o = %te) -> (tensor<32x32xf32>) {
      %gr = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1 * 4)>(%by, %ty)
      %gc = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>(%bx, %tx)
      %lr = affine.apply affine_map<(d0) -> (d0 * 4)>(%ty)
      %s = tensor.extract_slice %xt[%gr, %gc] [4, 1] [1, 1] : tensor<64x96xf32> to tensor<4x1xf32>
      %d = tensor.extract_slice %o[%lr, %tx] [4, 1] [1, 1] : tensor<32x32xf32> to tensor<4x1xf32>
      %cp = linalg.copy ins(%s : tensor<4x1xf32>) outs(%d : tensor<4x1xf32>) -> tensor<4x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %cp into %o[%lr, %tx] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<32x32xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    %orow = affine.apply affine_map<(d0) -> (d0 * 32)>(%bx)
    %ocol = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %dst = tensor.extract_slice %ob[%orow, %ocol] [32, 32] [1, 1] : tensor<96x64xf32> to tensor<32x32xf32>
    %u = scf.forall (%ty, %tx) in (8, 32) shared_outs(%o = %dst) -> (tensor<32x32xf32>) {
      %lr = affine.apply affine_map<(d0) -> (d0 * 4)>(%ty)
      %s = tensor.extract_slice %t[%tx, %lr] [1, 4] [1, 1] : tensor<32x32xf32> to tensor<1x4xf32>
      %d = tensor.extract_slice %o[%lr, %tx] [4, 1] [1, 1] : tensor<32x32xf32> to tensor<4x1xf32>
      %tr = linalg.transpose ins(%s : tensor<1x4xf32>) outs(%d : tensor<4x1xf32>) permutation = [1, 0]
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %tr into %o[%lr, %tx] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<32x32xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%orow, %ocol] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<96x64xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<96x64xf32>, memref<96x64xf32>) -> ()
  return
}
