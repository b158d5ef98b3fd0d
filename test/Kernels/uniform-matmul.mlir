// RUN: %python %S/run.py %s
// A matmul that nobody distributed on staged tiles.
// EXPECT workgroup_bytes<=768 barriers<=3 or refused "distribut|linalg.matmul|uniform"
// TOLERANCE 1e-4
// RESULT a2 = a0 @ a1
func.func @uniform_matmul(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %out: memref<8x8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %at = bufferization.to_tensor %a restrict : memref<8x8xf32> to tensor<8x8xf32>
  %bt = bufferization.to_tensor %b restrict : memref<8x8xf32> to tensor<8x8xf32>
  %zf = arith.constant 0.0 : f32
  %tae = tensor.empty() : tensor<8x8xf32>
  %ta = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %tae) -> (tensor<8x8xf32>) {
    %v = tensor.extract %at[%i, %j] : tensor<8x8xf32>
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %tbe = tensor.empty() : tensor<8x8xf32>
  %tb = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %tbe) -> (tensor<8x8xf32>) {
    %v = tensor.extract %bt[%i, %j] : tensor<8x8xf32>
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %oe = tensor.empty() : tensor<8x8xf32>
  %o0 = linalg.fill ins(%zf : f32) outs(%oe : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%ta, %tb : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  bufferization.materialize_in_destination %m in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()

  return
}
