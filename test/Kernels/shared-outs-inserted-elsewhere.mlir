// RUN: %python %S/run.py %s
// A slice of one output is updated, but goes to another output only.
// EXPECT workgroup_bytes=0 barriers<=2
// SEQUENTIAL no: One-Shot updates both outputs
// RESULT a1 = a0 + a1
func.func @shared_outs_inserted_elsewhere(%x: memref<128xf32>, %y: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict writable : memref<128xf32> to tensor<128xf32>
  %yt = bufferization.to_tensor %y restrict writable : memref<128xf32> to tensor<128xf32>
  %r:2 = scf.forall (%i) in (64) shared_outs(%a = %xt, %b = %yt) -> (tensor<128xf32>, tensor<128xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %as = tensor.extract_slice %a[%at] [2] [1] : tensor<128xf32> to tensor<2xf32>
    %bs = tensor.extract_slice %b[%at] [2] [1] : tensor<128xf32> to tensor<2xf32>
    %s = linalg.add ins(%as, %bs : tensor<2xf32>, tensor<2xf32>) outs(%as : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %b[%at] [2] [1] : tensor<2xf32> into tensor<128xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r#0 in restrict writable %x : (tensor<128xf32>, memref<128xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %y : (tensor<128xf32>, memref<128xf32>) -> ()
  return
}
