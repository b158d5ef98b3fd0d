// RUN: %python %S/run.py %s
// One tensor is the destination of both results of a forall.
// EXPECT workgroup_bytes=0 barriers<=2
// SEQUENTIAL no: One-Shot leaves both results in one buffer
// RESULT a1 = a0[np.arange(128) // 2 + np.arange(128) % 2]
// RESULT a2 = a0
func.func @shared_outs_twice(%x: memref<128xf32>, %moved: memref<128xf32>, %kept: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<128xf32> to tensor<128xf32>
  %r:2 = scf.forall (%i) in (64) shared_outs(%a = %xt, %b = %xt) -> (tensor<128xf32>, tensor<128xf32>) {
    %s = tensor.extract_slice %xt[%i] [2] [1] : tensor<128xf32> to tensor<2xf32>
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %own = tensor.extract_slice %a[%at] [2] [1] : tensor<128xf32> to tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %a[%at] [2] [1] : tensor<2xf32> into tensor<128xf32>
      tensor.parallel_insert_slice %own into %b[%at] [2] [1] : tensor<2xf32> into tensor<128xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r#0 in restrict writable %moved : (tensor<128xf32>, memref<128xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %kept : (tensor<128xf32>, memref<128xf32>) -> ()
  return
}
