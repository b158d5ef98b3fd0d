// RUN: %python %S/run.py %s
// Case B6: the extent of the shared tile has no bound.
// EXPECT refused "bound"
// DIM 32
// RESULT a1 = a0[::-1] * a0
func.func @unbounded_dynamic(%x: memref<?xf64>, %out: memref<?xf64>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<?xf64> to tensor<?xf64>
  %ot = bufferization.to_tensor %out restrict writable : memref<?xf64> to tensor<?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xt, %c0 : tensor<?xf64>
  %last = arith.subi %n, %c1 : index
  %te = tensor.empty(%n) : tensor<?xf64>
  %t = scf.forall (%i) in (%n) shared_outs(%o = %te) -> (tensor<?xf64>) {
    %v = tensor.extract %xt[%i] : tensor<?xf64>
    %w = arith.mulf %v, %v : f64
    %q = arith.divf %w, %v : f64
    %s = tensor.from_elements %q : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf64> into tensor<?xf64>
    }
  } {mapping = [#gpu.thread<x>]}
  %r = scf.forall (%i) in (%n) shared_outs(%o = %ot) -> (tensor<?xf64>) {
    %j = arith.subi %last, %i : index
    %u = tensor.extract %t[%j] : tensor<?xf64>
    %v = tensor.extract %xt[%i] : tensor<?xf64>
    %w = arith.mulf %u, %v : f64
    %s = tensor.from_elements %w : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf64> into tensor<?xf64>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?xf64>, memref<?xf64>) -> ()
  return
}
