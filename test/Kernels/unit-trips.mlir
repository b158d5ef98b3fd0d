// RUN: %python %S/run.py %s
// Unit trip counts in y and z.
// EXPECT workgroup_bytes=256 barriers<=1
// RESULT a1 = a0[::-1]
func.func @unit_trips(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 2, 2>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%u, %i) in (1, 64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %c63 = arith.constant 63 : index
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i, %u, %w) in (64, 1, 1) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %t[%j] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>, #gpu.thread<z>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
