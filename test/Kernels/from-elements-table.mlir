// RUN: %python %S/run.py %s
// A uniform tensor.from_elements indexed by the thread.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = np.array([a0[0], a0[1], 1, 0])[np.arange(64) % 4]
func.func @from_elements_table(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zi = arith.constant 0 : i32
  %oi = arith.constant 1 : i32
  %a = tensor.extract %xt[%c0] : tensor<64xi32>
  %b = tensor.extract %xt[%c1] : tensor<64xi32>
  %f = tensor.from_elements %a, %b, %oi, %zi : tensor<4xi32>
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %m = arith.remui %i, %c4 : index
    %v = tensor.extract %f[%m] : tensor<4xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
