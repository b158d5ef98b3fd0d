// RUN: %python %S/run.py %s
// A constant is the initial value of a tile that threads update; the constant is still read.
// EXPECT workgroup_bytes=32 barriers=1
// RESULT a1 = (lambda t: (t + a0)[::-1] * t)(np.array([3, 1, 4, 1, 5, 9, 2, 6]))
func.func @constant_updated(%x: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xi32> to tensor<8xi32>
  %tab = arith.constant dense<[3, 1, 4, 1, 5, 9, 2, 6]> : tensor<8xi32>
  %c7 = arith.constant 7 : index
  %t = scf.forall (%i) in (8) shared_outs(%o = %tab) -> (tensor<8xi32>) {
    %a = tensor.extract %o[%i] : tensor<8xi32>
    %b = tensor.extract %xt[%i] : tensor<8xi32>
    %v = arith.addi %a, %b : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<8xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<8xi32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %oe) -> (tensor<8xi32>) {
    %j = arith.subi %c7, %i : index
    %a = tensor.extract %t[%j] : tensor<8xi32>
    %b = tensor.extract %tab[%i] : tensor<8xi32>
    %v = arith.muli %a, %b : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<8xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()

  return
}
