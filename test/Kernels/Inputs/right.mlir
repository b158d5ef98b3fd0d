// The kernel that run-invalid.test gives wrong headers; this one is right.
// EXPECT workgroup_bytes=128 barriers=1
// RESULT a1 = np.roll(a0 * 2, 3)
func.func @right(%x: memref<32xi32>, %out: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<32xi32> to tensor<32xi32>
  %te = tensor.empty() : tensor<32xi32>
  %t = scf.forall (%i) in (32) shared_outs(%o = %te) -> (tensor<32xi32>) {
    %v = tensor.extract %xt[%i] : tensor<32xi32>
    %w = arith.addi %v, %v : i32
    %s = tensor.from_elements %w : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<32xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<32xi32>
  %r = scf.forall (%i) in (32) shared_outs(%o = %oe) -> (tensor<32xi32>) {
    %j = affine.apply affine_map<(d0) -> ((d0 + 29) mod 32)>(%i)
    %v = tensor.extract %t[%j] : tensor<32xi32>
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<32xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
