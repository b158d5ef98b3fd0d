// RUN: %python %S/run.py %s
// Two tiles that a loop exchanges, each written by rows and read by columns:
// both are padded. Of 15 rows of 18 elements and one of 16 each, with a hole.
// OPTIONS padding=true
// EXPECT workgroup_bytes=2296 sum_bytes=2296 barriers<=2
// RESULT a1 = a0.T + 3
func.func @exchanged_padded(%x: memref<16x16xf32>, %out: memref<16x16xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 16, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<16x16xf32> to tensor<16x16xf32>
  %e0 = tensor.empty() : tensor<16x16xf32>
  %t0 = scf.forall (%i, %j) in (16, 16) shared_outs(%o = %e0) -> (tensor<16x16xf32>) {
    %v = tensor.extract %xt[%i, %j] : tensor<16x16xf32>
    %s = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<16x16xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %e1 = tensor.empty() : tensor<16x16xf32>
  %r:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%cur = %t0, %nxt = %e1) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %new = scf.forall (%i, %j) in (16, 16) shared_outs(%o = %nxt) -> (tensor<16x16xf32>) {
      %v = tensor.extract %cur[%j, %i] : tensor<16x16xf32>
      %w = arith.addf %v, %one : f32
      %s = tensor.from_elements %w : tensor<1x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<16x16xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    scf.yield %new, %cur : tensor<16x16xf32>, tensor<16x16xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<16x16xf32>, memref<16x16xf32>) -> ()
  return
}
