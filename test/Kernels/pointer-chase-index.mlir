// RUN: %python %S/run.py %s
// A tile of index values is followed twice.
// EXPECT workgroup_bytes=512 barriers=1
// INPUT a0 = np.random.default_rng(5).permutation(64)
// RESULT a1 = a0[a0]
func.func @pointer_chase_index(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xindex>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xindex>) {
    %a = tensor.extract %xt[%i] : tensor<64xi32>
    %v = arith.index_cast %a : i32 to index
    %se_ = tensor.from_elements %v : tensor<1xindex>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xindex> into tensor<64xindex>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %j = tensor.extract %t[%i] : tensor<64xindex>
    %j2 = tensor.extract %t[%j] : tensor<64xindex>
    %v = arith.index_cast %j2 : index to i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
