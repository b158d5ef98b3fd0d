// RUN: %python %S/run.py %s
// A loop swaps slices of two outputs an odd number of times, then they go back.
// EXPECT workgroup_bytes=0 barriers<=2
// RESULT a0 = a1
// RESULT a1 = a0
func.func @shared_outs_swapped_in_loop(%x: memref<128xf32>, %y: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %xt = bufferization.to_tensor %x restrict writable : memref<128xf32> to tensor<128xf32>
  %yt = bufferization.to_tensor %y restrict writable : memref<128xf32> to tensor<128xf32>
  %r:2 = scf.forall (%i) in (64) shared_outs(%a = %xt, %b = %yt) -> (tensor<128xf32>, tensor<128xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %as = tensor.extract_slice %a[%at] [2] [1] : tensor<128xf32> to tensor<2xf32>
    %bs = tensor.extract_slice %b[%at] [2] [1] : tensor<128xf32> to tensor<2xf32>
    %f:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%p = %as, %q = %bs) -> (tensor<2xf32>, tensor<2xf32>) {
      scf.yield %q, %p : tensor<2xf32>, tensor<2xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f#0 into %a[%at] [2] [1] : tensor<2xf32> into tensor<128xf32>
      tensor.parallel_insert_slice %f#1 into %b[%at] [2] [1] : tensor<2xf32> into tensor<128xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r#0 in restrict writable %x : (tensor<128xf32>, memref<128xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %y : (tensor<128xf32>, memref<128xf32>) -> ()
  return
}
