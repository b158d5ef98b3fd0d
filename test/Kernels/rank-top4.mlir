// RUN: %python %S/run.py %s
// Top-4 indices by rank sort; the values are unused, the indices are shared.
// EXPECT workgroup_bytes=512 barriers=2
// RESULT a1 = np.argsort(a0, kind='stable')[::-1][:4]
func.func @rank_top4(%x: memref<64xf32>, %out: memref<4xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %te = tensor.empty() : tensor<64xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xf32>) {
    %v = tensor.extract %xt[%i] : tensor<64xf32>
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xf32>
  %pe = tensor.empty() : tensor<64xi32>
  %r:2 = scf.forall (%i) in (64) shared_outs(%o = %oe, %p = %pe) -> (tensor<64xf32>, tensor<64xi32>) {
    %me = tensor.extract %t[%i] : tensor<64xf32>
    %rank = scf.for %k = %c0 to %c64 step %c1 iter_args(%a = %c0) -> (index) {
      %ot = tensor.extract %t[%k] : tensor<64xf32>
      %lt = arith.cmpf olt, %ot, %me : f32
      %eq = arith.cmpf oeq, %ot, %me : f32
      %bf = arith.cmpi ult, %k, %i : index
      %tb = arith.andi %eq, %bf : i1
      %cn = arith.ori %lt, %tb : i1
      %a1 = arith.addi %a, %c1 : index
      %n = arith.select %cn, %a1, %a : index
      scf.yield %n : index
    }
    %ii = arith.index_cast %i : index to i32
    %s1 = tensor.from_elements %me : tensor<1xf32>
    %s2 = tensor.from_elements %ii : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s1 into %o[%rank] [1] [1] : tensor<1xf32> into tensor<64xf32>
      tensor.parallel_insert_slice %s2 into %p[%rank] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %c4_ = arith.constant 4 : index
  %qe = tensor.empty() : tensor<4xi32>
  %q = scf.forall (%i) in (4) shared_outs(%o = %qe) -> (tensor<4xi32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %r#1[%j] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %q in restrict writable %out : (tensor<4xi32>, memref<4xi32>) -> ()

  return
}
