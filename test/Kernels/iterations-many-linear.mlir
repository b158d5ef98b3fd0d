// RUN: %python %S/run.py %s
// 100 iterations on a block of (5, 3, 2), mapped thread<linear_dim_0>.
// EXPECT workgroup_bytes=400 barriers<=1
// RESULT a1 = a0[::-1]
func.func @iterations_many_linear(%x: memref<100xi32>, %out: memref<100xi32>)
    attributes {gpu.known_block_size = array<i32: 5, 3, 2>} {
  %xt = bufferization.to_tensor %x restrict : memref<100xi32> to tensor<100xi32>
  %last = arith.constant 99 : index
  %te = tensor.empty() : tensor<100xi32>
  %t = scf.forall (%i) in (100) shared_outs(%o = %te) -> (tensor<100xi32>) {
    %v = tensor.extract %xt[%i] : tensor<100xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<100xi32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  %oe = tensor.empty() : tensor<100xi32>
  %r = scf.forall (%i) in (100) shared_outs(%o = %oe) -> (tensor<100xi32>) {
    %j = arith.subi %last, %i : index
    %v = tensor.extract %t[%j] : tensor<100xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<100xi32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<100xi32>, memref<100xi32>) -> ()

  return
}
