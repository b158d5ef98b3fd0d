// RUN: %python %S/run.py %s
// [y, x] writes, linear_dim_0 reads the same element: one thread, private (0 bytes) is best.
// EXPECT workgroup_bytes<=256 barriers=0
// RESULT a1 = a0 * a0 + 1
func.func @aligned_linear_vs_yx(%x: memref<8x8xf32>, %out: memref<8x8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
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
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %c8 = arith.constant 8 : index
  %oe = tensor.empty() : tensor<8x8xf32>
  %r = scf.forall (%l) in (64) shared_outs(%o = %oe) -> (tensor<8x8xf32>) {
    %i = arith.divui %l, %c8 : index
    %j = arith.remui %l, %c8 : index
    %a = tensor.extract %t[%i, %j] : tensor<8x8xf32>
    %v = arith.addf %a, %of : f32
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()

  return
}
