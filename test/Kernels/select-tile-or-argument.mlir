// RUN: %python %S/run.py %s
// arith.select chooses a tile or the argument itself.
// EXPECT workgroup_bytes<=512 barriers<=2
// RESULT a1 = a0[::-1]
func.func @select_tile_or_argument(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %zf = arith.constant 0.0 : f32
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xf32>
  %ue = tensor.empty() : tensor<64xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xf32>) {
    %v = tensor.extract %xt[%i] : tensor<64xf32>
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %unused_u = scf.forall (%i) in (64) shared_outs(%o = %ue) -> (tensor<64xf32>) {
    %a = tensor.extract %xt[%i] : tensor<64xf32>
    %v = arith.negf %a : f32
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %x0 = tensor.extract %xt[%c0] : tensor<64xf32>
  %cnd = arith.cmpf ogt, %x0, %zf : f32
  %s = arith.select %cnd, %t, %xt : tensor<64xf32>
  %oe = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xf32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %s[%j] : tensor<64xf32>
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()

  return
}
