// RUN: %python %S/run.py %s
// A fresh tile escapes its iteration as a reshape.
// EXPECT workgroup_bytes=0 barriers<=2
// RESULT a1 = a0.reshape(3, 4, 2).transpose(0, 2, 1).reshape(3, 4, 2).transpose(0, 2, 1).reshape(24)
func.func @escaping_reshaped(%x: memref<24xf32>, %out: memref<24xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %xt = bufferization.to_tensor %x restrict : memref<24xf32> to tensor<24xf32>
  %oe = tensor.empty() : tensor<24xf32>
  %r = scf.forall (%i) in (3) shared_outs(%o = %oe) -> (tensor<24xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %own = tensor.extract_slice %xt[%at] [8] [1] : tensor<24xf32> to tensor<8xf32>
    %f = scf.for %k = %c0 to %c2 step %c1 iter_args(%t = %own) -> (tensor<8xf32>) {
      %m = tensor.expand_shape %t [[0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
      %e = tensor.empty() : tensor<2x4xf32>
      %n = linalg.transpose ins(%m : tensor<4x2xf32>) outs(%e : tensor<2x4xf32>) permutation = [1, 0]
      %c = tensor.collapse_shape %n [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
      scf.yield %c : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%at] [8] [1] : tensor<8xf32> into tensor<24xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<24xf32>, memref<24xf32>) -> ()
  return
}
