// RUN: %python %S/run.py %s
// As linear-dims-vs-yx on a 16x8 block: the threads differ.
// EXPECT workgroup_bytes=256 barriers=1
// RESULT a1 = a0 * a0 + 1
func.func @linear_dims_vs_yx_wide(%x: memref<8x8xf32>, %out: memref<8x8xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 8, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8x8xf32> to tensor<8x8xf32>
  %of = arith.constant 1.0 : f32
  %te = tensor.empty() : tensor<8x8xf32>
  %t = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %te) -> (tensor<8x8xf32>) {
    %a = tensor.extract %xt[%i, %j] : tensor<8x8xf32>
    %v = arith.mulf %a, %a : f32
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
  %oe = tensor.empty() : tensor<8x8xf32>
  %r = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %oe) -> (tensor<8x8xf32>) {
    %a = tensor.extract %t[%i, %j] : tensor<8x8xf32>
    %v = arith.addf %a, %of : f32
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()

  return
}
