// RUN: %python %S/run.py %s
// Two loop-carried tiles of each thread and their sum: it becomes the first, which becomes the second.
// EXPECT workgroup_bytes=0 barriers=0
// INPUT a0 = np.arange(128)
// RESULT a1 = 5 * a0.reshape(64, 2) + 3 * np.array([126, 127])
func.func @delay_line_fibonacci(%x: memref<128xi32>, %out: memref<64x2xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %xt = bufferization.to_tensor %x restrict : memref<128xi32> to tensor<128xi32>
  %e = tensor.empty() : tensor<64x2xi32>
  %last = tensor.extract_slice %xt[126] [2] [1] : tensor<128xi32> to tensor<2xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64x2xi32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %own = tensor.extract_slice %xt[%at] [2] [1] : tensor<128xi32> to tensor<2xi32>
    %f:2 = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %own, %b = %last) -> (tensor<2xi32>, tensor<2xi32>) {
      %s = linalg.add ins(%a, %b : tensor<2xi32>, tensor<2xi32>) outs(%last : tensor<2xi32>) -> tensor<2xi32>
      scf.yield %s, %a : tensor<2xi32>, tensor<2xi32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f#1 into %o[%i, 0] [1, 2] [1, 1] : tensor<2xi32> into tensor<64x2xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64x2xi32>, memref<64x2xi32>) -> ()
  return
}
