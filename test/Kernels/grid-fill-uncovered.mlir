// RUN: %python %S/run.py %s
// The whole output is filled at grid scope, but the blocks cover half of it only.
// EXPECT workgroup_bytes=0 barriers<=1 or refused "grid|block|fill"
// RESULT a1 = np.where(np.arange(4)[:, None] < 2, a0, 1)
func.func @grid_fill_uncovered(%x: memref<4x64xi32>, %out: memref<4x64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x64xi32> to tensor<4x64xi32>
  %oi = arith.constant 1 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %oe = tensor.empty() : tensor<4x64xi32>
  %o0 = linalg.fill ins(%oi : i32) outs(%oe : tensor<4x64xi32>) -> tensor<4x64xi32>
  %r = scf.forall (%b) in (2) shared_outs(%ob = %o0) -> (tensor<4x64xi32>) {
    %dst = tensor.extract_slice %ob[%b, 0] [1, 64] [1, 1] : tensor<4x64xi32> to tensor<64xi32>
    %u = scf.forall (%i) in (64) shared_outs(%o = %dst) -> (tensor<64xi32>) {
      %v = tensor.extract %xt[%b, %i] : tensor<4x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}

    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%b, 0] [1, 64] [1, 1] : tensor<64xi32> into tensor<4x64xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x64xi32>, memref<4x64xi32>) -> ()

  return
}
