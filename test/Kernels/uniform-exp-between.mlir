// RUN: %python %S/run.py %s
// An elementwise op at workgroup scope between two foralls.
// EXPECT workgroup_bytes<=512 barriers<=2 or refused "distribut|linalg.exp|uniform"
// RESULT a1 = np.exp(a0.T)
func.func @uniform_exp_between(%a: memref<8x8xf32>, %out: memref<8x8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %at = bufferization.to_tensor %a restrict : memref<8x8xf32> to tensor<8x8xf32>
  %tae = tensor.empty() : tensor<8x8xf32>
  %ta = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %tae) -> (tensor<8x8xf32>) {
    %v = tensor.extract %at[%i, %j] : tensor<8x8xf32>
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %pe = tensor.empty() : tensor<8x8xf32>
  %p = linalg.exp ins(%ta : tensor<8x8xf32>) outs(%pe : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x8xf32>
  %r = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %oe) -> (tensor<8x8xf32>) {
    %v = tensor.extract %p[%j, %i] : tensor<8x8xf32>
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()

  return
}
