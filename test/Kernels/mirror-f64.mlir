// RUN: %python %S/run.py %s
// A tile of f64 is mirrored.
// EXPECT workgroup_bytes=512 barriers=1
// RESULT a1 = (a0 + a0)[::-1]
func.func @mirror_f64(%x: memref<64xf64>, %out: memref<64xf64>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf64> to tensor<64xf64>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xf64>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xf64>) {
    %a = tensor.extract %xt[%i] : tensor<64xf64>
    %v = arith.addf %a, %a : f64
    %se_ = tensor.from_elements %v : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf64> into tensor<64xf64>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xf64>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xf64>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %t[%j] : tensor<64xf64>
    %se_ = tensor.from_elements %v : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf64> into tensor<64xf64>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf64>, memref<64xf64>) -> ()

  return
}
