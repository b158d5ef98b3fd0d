// RUN: %python %S/run.py %s
// A tile of i64 is mirrored.
// EXPECT workgroup_bytes=512 barriers=1
// RESULT a1 = (a0 * a0)[::-1]
func.func @mirror_i64(%x: memref<64xi64>, %out: memref<64xi64>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi64> to tensor<64xi64>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xi64>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi64>) {
    %a = tensor.extract %xt[%i] : tensor<64xi64>
    %v = arith.muli %a, %a : i64
    %se_ = tensor.from_elements %v : tensor<1xi64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi64> into tensor<64xi64>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xi64>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi64>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %t[%j] : tensor<64xi64>
    %se_ = tensor.from_elements %v : tensor<1xi64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi64> into tensor<64xi64>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi64>, memref<64xi64>) -> ()

  return
}
