// RUN: %python %S/run.py %s
// A tile of f16 is mirrored.
// EXPECT workgroup_bytes=128 barriers=1
// RESULT a1 = (a0 + a0)[::-1]
func.func @mirror_f16(%x: memref<64xf16>, %out: memref<64xf16>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf16> to tensor<64xf16>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xf16>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xf16>) {
    %a = tensor.extract %xt[%i] : tensor<64xf16>
    %v = arith.addf %a, %a : f16
    %se_ = tensor.from_elements %v : tensor<1xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf16> into tensor<64xf16>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xf16>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xf16>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %t[%j] : tensor<64xf16>
    %se_ = tensor.from_elements %v : tensor<1xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf16> into tensor<64xf16>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf16>, memref<64xf16>) -> ()

  return
}
