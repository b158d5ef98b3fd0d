// RUN: %python %S/run.py %s
// Half of a constant's elements are replaced by threads: the rest must be copied.
// EXPECT workgroup_bytes=32 barriers<=2
// RESULT a1 = np.where(np.arange(8) % 2 == 0, a0 + 1, [3, 1, 4, 1, 5, 9, 2, 6])[::-1]
func.func @constant_partly_updated(%x: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xi32> to tensor<8xi32>
  %c2 = arith.constant 2 : index
  %oi = arith.constant 1 : i32
  %tab = arith.constant dense<[3, 1, 4, 1, 5, 9, 2, 6]> : tensor<8xi32>
  %c7 = arith.constant 7 : index
  %t = scf.forall (%i) in (4) shared_outs(%o = %tab) -> (tensor<8xi32>) {
    %i2 = arith.muli %i, %c2 : index
    %b = tensor.extract %xt[%i2] : tensor<8xi32>
    %v = arith.addi %b, %oi : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i2] [1] [1] : tensor<1xi32> into tensor<8xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<8xi32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %oe) -> (tensor<8xi32>) {
    %j = arith.subi %c7, %i : index
    %v = tensor.extract %t[%j] : tensor<8xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<8xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()

  return
}
