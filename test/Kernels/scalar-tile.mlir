// RUN: %python %S/run.py %s
// A rank-0 tile written by one thread, read by all.
// EXPECT workgroup_bytes=4 barriers=1
// RESULT a1 = a0 * (2 * a0[3])
func.func @scalar_tile(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %c3 = arith.constant 3 : index
  %se = tensor.empty() : tensor<f32>
  %s = scf.forall (%i) in (1) shared_outs(%o = %se) -> (tensor<f32>) {
    %a = tensor.extract %xt[%c3] : tensor<64xf32>
    %b = arith.addf %a, %a : f32
    %w = tensor.insert %b into %o[] : tensor<f32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[] [] [] : tensor<f32> into tensor<f32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xf32>) {
    %a = tensor.extract %s[] : tensor<f32>
    %b = tensor.extract %xt[%i] : tensor<64xf32>
    %v = arith.mulf %a, %b : f32
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()

  return
}
