// RUN: %python %S/run.py %s
// The output is written in two halves by two foralls.
// EXPECT workgroup_bytes=256 barriers=1
// RESULT a1 = a0[::-1] * np.where(np.arange(64) < 32, 1, 2)
func.func @two_halves(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c32 = arith.constant 32 : index
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
  %r1 = scf.forall (%i) in (32) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %t[%j] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %r2 = scf.forall (%i) in (32) shared_outs(%o = %r1) -> (tensor<64xi32>) {
    %p = arith.addi %i, %c32 : index
    %j = arith.subi %c63, %p : index
    %w = tensor.extract %t[%j] : tensor<64xi32>
    %v = arith.addi %w, %w : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%p] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r2 in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
