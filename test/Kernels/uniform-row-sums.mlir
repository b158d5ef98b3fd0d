// RUN: %python %S/run.py %s
// Row sums of a staged tile by linalg.reduce at workgroup scope.
// EXPECT workgroup_bytes<=288 barriers<=2
// TOLERANCE 1e-4
// INPUT a0 = np.random.default_rng(2).uniform(0.5, 1, (8, 8))
// RESULT a1 = a0 / a0.sum(1, keepdims=True)
func.func @uniform_row_sums(%a: memref<8x8xf32>, %out: memref<8x8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %at = bufferization.to_tensor %a restrict : memref<8x8xf32> to tensor<8x8xf32>
  %zf = arith.constant 0.0 : f32
  %tae = tensor.empty() : tensor<8x8xf32>
  %ta = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %tae) -> (tensor<8x8xf32>) {
    %v = tensor.extract %at[%i, %j] : tensor<8x8xf32>
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %re = tensor.empty() : tensor<8xf32>
  %r0 = linalg.fill ins(%zf : f32) outs(%re : tensor<8xf32>) -> tensor<8xf32>
  %rs = linalg.reduce { arith.addf } ins(%ta : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %oe = tensor.empty() : tensor<8x8xf32>
  %r = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %oe) -> (tensor<8x8xf32>) {
    %aa = tensor.extract %ta[%i, %j] : tensor<8x8xf32>
    %b = tensor.extract %rs[%i] : tensor<8xf32>
    %v = arith.divf %aa, %b : f32
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()

  return
}
