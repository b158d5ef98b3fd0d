// RUN: %python %S/run.py %s
// A tile of bf16 is mirrored.
// EXPECT workgroup_bytes=128 barriers=1
// RESULT a1 = (a0 ^ 0x8000)[::-1]
func.func @mirror_bf16(%x: memref<64xbf16>, %out: memref<64xbf16>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xbf16> to tensor<64xbf16>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xbf16>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xbf16>) {
    %a = tensor.extract %xt[%i] : tensor<64xbf16>
    %v = arith.negf %a : bf16
    %se_ = tensor.from_elements %v : tensor<1xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xbf16> into tensor<64xbf16>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xbf16>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xbf16>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %t[%j] : tensor<64xbf16>
    %se_ = tensor.from_elements %v : tensor<1xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xbf16> into tensor<64xbf16>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xbf16>, memref<64xbf16>) -> ()

  return
}
