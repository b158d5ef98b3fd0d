// RUN: %python %S/run.py %s
// A small table made by tensor.generate.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0 * a0
func.func @generate_table(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %g = tensor.generate {
    ^bb0(%k: index):
    %m = arith.muli %k, %k : index
    %mi = arith.index_cast %m : index to i32
    tensor.yield %mi : i32
  } : tensor<16xi32>
  %c16 = arith.constant 16 : index
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %a = tensor.extract %xt[%i] : tensor<64xi32>
    %j = arith.index_cast %a : i32 to index
    %v = tensor.extract %g[%j] : tensor<16xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
