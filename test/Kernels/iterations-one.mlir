// RUN: %python %S/run.py %s
// 1 iterations on a block of (64, 1, 1), mapped thread<x>.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0[::-1]
func.func @iterations_one(%x: memref<1xi32>, %out: memref<1xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<1xi32> to tensor<1xi32>
  %last = arith.constant 0 : index
  %te = tensor.empty() : tensor<1xi32>
  %t = scf.forall (%i) in (1) shared_outs(%o = %te) -> (tensor<1xi32>) {
    %v = tensor.extract %xt[%i] : tensor<1xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<1xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<1xi32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %oe) -> (tensor<1xi32>) {
    %j = arith.subi %last, %i : index
    %v = tensor.extract %t[%j] : tensor<1xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<1xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<1xi32>, memref<1xi32>) -> ()

  return
}
