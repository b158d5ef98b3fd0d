// RUN: %python %S/run.py %s
// 50 iterations on a block of (4, 8, 2), mapped thread<y>.
// EXPECT workgroup_bytes=200 barriers<=1
// RESULT a1 = a0[::-1]
func.func @iterations_many_y(%x: memref<50xi32>, %out: memref<50xi32>)
    attributes {gpu.known_block_size = array<i32: 4, 8, 2>} {
  %xt = bufferization.to_tensor %x restrict : memref<50xi32> to tensor<50xi32>
  %last = arith.constant 49 : index
  %te = tensor.empty() : tensor<50xi32>
  %t = scf.forall (%i) in (50) shared_outs(%o = %te) -> (tensor<50xi32>) {
    %v = tensor.extract %xt[%i] : tensor<50xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<50xi32>
    }
  } {mapping = [#gpu.thread<y>]}
  %oe = tensor.empty() : tensor<50xi32>
  %r = scf.forall (%i) in (50) shared_outs(%o = %oe) -> (tensor<50xi32>) {
    %j = arith.subi %last, %i : index
    %v = tensor.extract %t[%j] : tensor<50xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<50xi32>
    }
  } {mapping = [#gpu.thread<y>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<50xi32>, memref<50xi32>) -> ()

  return
}
