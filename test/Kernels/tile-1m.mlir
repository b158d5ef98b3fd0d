// RUN: %python %S/run.py %s
// A tile of 1 MiB.
// EXPECT refused "bytes|limit"
// RESULT a1 = -a0.reshape(64, -1)[::-1].ravel()
func.func @tile_1m(%x: memref<262144xf32>, %out: memref<262144xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<262144xf32> to tensor<262144xf32>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<262144xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<262144xf32>) {
    %k = affine.apply affine_map<(d0) -> (d0 * 4096)>(%i)
    %s = tensor.extract_slice %xt[%k] [4096] [1] : tensor<262144xf32> to tensor<4096xf32>
    %d = tensor.extract_slice %o[%k] [4096] [1] : tensor<262144xf32> to tensor<4096xf32>
    %q = linalg.negf ins(%s : tensor<4096xf32>) outs(%d : tensor<4096xf32>) -> tensor<4096xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%k] [4096] [1] : tensor<4096xf32> into tensor<262144xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<262144xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<262144xf32>) {
    %j = arith.subi %c63, %i : index
    %k = affine.apply affine_map<(d0) -> (d0 * 4096)>(%j)
    %k2 = affine.apply affine_map<(d0) -> (d0 * 4096)>(%i)
    %s = tensor.extract_slice %t[%k] [4096] [1] : tensor<262144xf32> to tensor<4096xf32>
    %d = tensor.extract_slice %o[%k2] [4096] [1] : tensor<262144xf32> to tensor<4096xf32>
    %q = linalg.copy ins(%s : tensor<4096xf32>) outs(%d : tensor<4096xf32>) -> tensor<4096xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%k2] [4096] [1] : tensor<4096xf32> into tensor<262144xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<262144xf32>, memref<262144xf32>) -> ()

  return
}
