// RUN: %python %S/run.py %s
// A tile of i1 is mirrored.
// EXPECT workgroup_bytes=64 barriers=1
// RESULT a1 = ~a0[::-1]
func.func @mirror_i1(%x: memref<64xi1>, %out: memref<64xi1>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi1> to tensor<64xi1>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xi1>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi1>) {
    %a = tensor.extract %xt[%i] : tensor<64xi1>
    %tt = arith.constant true
    %v = arith.xori %a, %tt : i1
    %se_ = tensor.from_elements %v : tensor<1xi1>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi1> into tensor<64xi1>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xi1>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi1>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %t[%j] : tensor<64xi1>
    %se_ = tensor.from_elements %v : tensor<1xi1>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi1> into tensor<64xi1>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi1>, memref<64xi1>) -> ()

  return
}
