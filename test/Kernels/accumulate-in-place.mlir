// RUN: %python %S/run.py %s
// out += x in place.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0 + a1
func.func @accumulate_in_place(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xi32> to tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xi32>) {
    %a = tensor.extract %o[%i] : tensor<64xi32>
    %w = tensor.extract %xt[%i] : tensor<64xi32>
    %v = arith.addi %a, %w : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
