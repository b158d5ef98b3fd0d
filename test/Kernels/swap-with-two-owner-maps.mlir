// RUN: %python %S/run.py %s
// Two tiles that swap, written by one forall with different owners of their
// elements: thread i writes element i + 24 of one and i + 27 of the other. What
// is stored at the end may be either.
// EXPECT workgroup_bytes<=256
// RESULT a1 = np.roll(a0, 27)
func.func @kernel(%in0: memref<32xi32>, %out0: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 8, 4, 1>} {
  %x = bufferization.to_tensor %in0 restrict : memref<32xi32> to tensor<32xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c24 = arith.constant 24 : index
  %c27 = arith.constant 27 : index
  %ae = tensor.empty() : tensor<32xi32>
  %be = tensor.empty() : tensor<32xi32>
  %t:2 = scf.forall (%y, %z) in (4, 8) shared_outs(%a = %ae, %b = %be) -> (tensor<32xi32>, tensor<32xi32>) {
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%y, %z)
    %v = tensor.extract_slice %x[%i] [1] [1] : tensor<32xi32> to tensor<1xi32>
    %i24 = arith.addi %i, %c24 : index
    %p = affine.apply affine_map<(d0) -> (d0 mod 32)>(%i24)
    %i27 = arith.addi %i, %c27 : index
    %q = affine.apply affine_map<(d0) -> (d0 mod 32)>(%i27)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %a[%p] [1] [1] : tensor<1xi32> into tensor<32xi32>
      tensor.parallel_insert_slice %v into %b[%q] [1] [1] : tensor<1xi32> into tensor<32xi32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%p = %t#0, %q = %t#1) -> (tensor<32xi32>, tensor<32xi32>) {
    scf.yield %q, %p : tensor<32xi32>, tensor<32xi32>
  }
  bufferization.materialize_in_destination %r#1 in restrict writable %out0 : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
