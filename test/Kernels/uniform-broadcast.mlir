// RUN: %python %S/run.py %s
// A broadcast of a tile that nobody distributed.
// EXPECT workgroup_bytes<=1280 barriers<=2 or refused "distribut|uniform|broadcast"
// RESULT a1 = np.tile(a0, (4, 1))
func.func @uniform_broadcast(%x: memref<64xf32>, %out: memref<4x64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xf32>) {
    %v = tensor.extract %xt[%i] : tensor<64xf32>
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %be = tensor.empty() : tensor<4x64xf32>
  %bb = linalg.broadcast ins(%t : tensor<64xf32>) outs(%be : tensor<4x64xf32>) dimensions = [0]
  bufferization.materialize_in_destination %bb in restrict writable %out : (tensor<4x64xf32>, memref<4x64xf32>) -> ()

  return
}
