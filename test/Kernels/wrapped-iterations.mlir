// RUN: %python %S/run.py %s
// 150 iterations on 64 threads, then 75 on the same: iterations beyond the
// block wrap in order. A barrier inside the loop over them would be wrong.
// EXPECT workgroup_bytes=600 barriers<=1
// RESULT a1 = a0[0::2] * a0[1::2] + a0[::-1][:75]
func.func @wrapped_iterations(%x: memref<150xi32>, %out: memref<75xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<150xi32> to tensor<150xi32>
  %c149 = arith.constant 149 : index
  %te = tensor.empty() : tensor<150xi32>
  %t = scf.forall (%i) in (150) shared_outs(%o = %te) -> (tensor<150xi32>) {
    %v = tensor.extract %xt[%i] : tensor<150xi32>
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<150xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<75xi32>
  %r = scf.forall (%i) in (75) shared_outs(%o = %oe) -> (tensor<75xi32>) {
    %a = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %b = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%i)
    %c = arith.subi %c149, %i : index
    %va = tensor.extract %t[%a] : tensor<150xi32>
    %vb = tensor.extract %t[%b] : tensor<150xi32>
    %vc = tensor.extract %t[%c] : tensor<150xi32>
    %p = arith.muli %va, %vb : i32
    %v = arith.addi %p, %vc : i32
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<75xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<75xi32>, memref<75xi32>) -> ()
  return
}
