// RUN: %python %S/run.py %s
// A shared tile whose extent has no bound.
// EXPECT refused "bound"
// RESULT a1 = (a0 * a0)[::-1]
func.func @dynamic_no_bound(%x: memref<?xi32>, %out: memref<?xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<?xi32> to tensor<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xt, %c0 : tensor<?xi32>
  %te = tensor.empty(%n) : tensor<?xi32>
  %last = arith.subi %n, %c1 : index
  %t = scf.forall (%i) in (%n) shared_outs(%o = %te) -> (tensor<?xi32>) {
    %a = tensor.extract %xt[%i] : tensor<?xi32>
    %v = arith.muli %a, %a : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<?xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %ot = bufferization.to_tensor %out restrict writable : memref<?xi32> to tensor<?xi32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %ot) -> (tensor<?xi32>) {
    %j = arith.subi %last, %i : index
    %v = tensor.extract %t[%j] : tensor<?xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<?xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?xi32>, memref<?xi32>) -> ()

  return
}
