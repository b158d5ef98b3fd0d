// RUN: %python %S/run.py %s
// A padded copy of the input at workgroup scope, read with a halo.
// EXPECT workgroup_bytes<=264 barriers<=2
// RESULT a1 = np.concatenate([[1], a0[:-1]]) - np.concatenate([a0[1:], [1]])
func.func @pad_uniform(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %c2 = arith.constant 2 : index
  %of = arith.constant 1.0 : f32
  %c66 = arith.constant 66 : index
  %oe = tensor.empty() : tensor<64xf32>
  %pad = tensor.pad %xt low[1] high[1] {
    ^bb0(%p: index):
    tensor.yield %of : f32
  } : tensor<64xf32> to tensor<66xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xf32>) {
    %i2 = arith.addi %i, %c2 : index
    %e = tensor.extract %pad[%i] : tensor<66xf32>
    %g = tensor.extract %pad[%i2] : tensor<66xf32>
    %v = arith.subf %e, %g : f32
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()

  return
}
