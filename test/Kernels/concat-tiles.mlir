// RUN: %python %S/run.py %s
// Two tiles are concatenated at workgroup scope and mirrored.
// EXPECT workgroup_bytes<=512 barriers<=2
// RESULT a1 = np.concatenate([a0[32:][::-1], a0[:32]])[::-1]
func.func @concat_tiles(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<32xi32>
  %ue = tensor.empty() : tensor<32xi32>
  %t = scf.forall (%i) in (32) shared_outs(%o = %te) -> (tensor<32xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<32xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %u = scf.forall (%i) in (32) shared_outs(%o = %ue) -> (tensor<32xi32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %xt[%j] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<32xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %cc = tensor.concat dim(0) %u, %t : (tensor<32xi32>, tensor<32xi32>) -> tensor<64xi32>
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %cc[%j] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
