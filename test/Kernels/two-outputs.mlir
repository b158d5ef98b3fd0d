// RUN: %python %S/run.py %s
// One forall, two outputs, one of them reversed.
// EXPECT workgroup_bytes=256 barriers=1
// RESULT a1 = a0[::-1] - a0
// RESULT a2 = a0 * a0[::-1]
func.func @two_outputs(%x: memref<64xi32>, %out: memref<64xi32>, %out2: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xi32>
  %qe = tensor.empty() : tensor<64xi32>
  %r:2 = scf.forall (%i) in (64) shared_outs(%o = %oe, %q = %qe) -> (tensor<64xi32>, tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %a = tensor.extract %t[%j] : tensor<64xi32>
    %b = tensor.extract %t[%i] : tensor<64xi32>
    %v = arith.subi %a, %b : i32
    %w = arith.muli %a, %b : i32
    %s1 = tensor.from_elements %v : tensor<1xi32>
    %s2 = tensor.from_elements %w : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s1 into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      tensor.parallel_insert_slice %s2 into %q[%j] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %out2 : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
