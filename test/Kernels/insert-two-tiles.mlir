// RUN: %python %S/run.py %s
// Two tiles are inserted into a larger one at workgroup scope.
// EXPECT workgroup_bytes<=1024 barriers<=2
// RESULT a1 = np.tile(a0, 2)[::-1]
func.func @insert_two_tiles(%x: memref<64xi32>, %out: memref<128xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %ue = tensor.empty() : tensor<64xi32>
  %u = scf.forall (%i) in (64) shared_outs(%o = %ue) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %be = tensor.empty() : tensor<128xi32>
  %b0 = tensor.insert_slice %t into %be[0] [64] [1] : tensor<64xi32> into tensor<128xi32>
  %b1 = tensor.insert_slice %u into %b0[64] [64] [1] : tensor<64xi32> into tensor<128xi32>
  %oe = tensor.empty() : tensor<128xi32>
  %r = scf.forall (%i) in (128) shared_outs(%o = %oe) -> (tensor<128xi32>) {
    %j = arith.subi %c127, %i : index
    %v = tensor.extract %b1[%j] : tensor<128xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<128xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<128xi32>, memref<128xi32>) -> ()

  return
}
