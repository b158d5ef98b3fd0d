// RUN: %python %S/run.py %s
// 12x20 iterations on 8x4 threads: both dimensions wrap.
// EXPECT workgroup_bytes=960 barriers=1
// RESULT a1 = a0.T
func.func @wrapped_2d_transpose(%x: memref<12x20xf32>, %out: memref<20x12xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 4, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<12x20xf32> to tensor<12x20xf32>
  %te = tensor.empty() : tensor<12x20xf32>
  %t = scf.forall (%i, %j) in (12, 20) shared_outs(%o = %te) -> (tensor<12x20xf32>) {
    %v = tensor.extract %xt[%i, %j] : tensor<12x20xf32>
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<12x20xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %oe = tensor.empty() : tensor<20x12xf32>
  %r = scf.forall (%i, %j) in (20, 12) shared_outs(%o = %oe) -> (tensor<20x12xf32>) {
    %v = tensor.extract %t[%j, %i] : tensor<12x20xf32>
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<20x12xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<20x12xf32>, memref<20x12xf32>) -> ()

  return
}
