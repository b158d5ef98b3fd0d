// RUN: %python %S/run.py %s
// A tile is expanded; thread i copies column i to row i.
// EXPECT workgroup_bytes=256 barriers=1
// RESULT a1 = a0.reshape(8, 8).T
func.func @expand_transpose(%x: memref<64xf32>, %out: memref<8x8xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xf32>) {
    %v = tensor.extract %xt[%i] : tensor<64xf32>
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f = tensor.expand_shape %t [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x8xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %oe) -> (tensor<8x8xf32>) {
    %s = tensor.extract_slice %f[0, %i] [8, 1] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
    %d = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
    %q = linalg.copy ins(%s : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()

  return
}
