// RUN: %python %S/run.py %s
// 5 iterations on a block of (8, 8, 1), mapped thread<y>.
// EXPECT workgroup_bytes=20 barriers<=1
// RESULT a1 = a0[::-1]
func.func @iterations_few_y(%x: memref<5xi32>, %out: memref<5xi32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<5xi32> to tensor<5xi32>
  %last = arith.constant 4 : index
  %te = tensor.empty() : tensor<5xi32>
  %t = scf.forall (%i) in (5) shared_outs(%o = %te) -> (tensor<5xi32>) {
    %v = tensor.extract %xt[%i] : tensor<5xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<5xi32>
    }
  } {mapping = [#gpu.thread<y>]}
  %oe = tensor.empty() : tensor<5xi32>
  %r = scf.forall (%i) in (5) shared_outs(%o = %oe) -> (tensor<5xi32>) {
    %j = arith.subi %last, %i : index
    %v = tensor.extract %t[%j] : tensor<5xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<5xi32>
    }
  } {mapping = [#gpu.thread<y>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<5xi32>, memref<5xi32>) -> ()

  return
}
