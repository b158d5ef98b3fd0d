// RUN: %python %S/run.py %s
// linalg.softmax has no lowering to loops: it is decomposed before all else, and
// its row is one workgroup's.
// EXPECT barriers=1 workgroup_bytes=800
// RESULT a1 = np.exp(a0 - a0.max(1, keepdims=True)) / np.exp(a0 - a0.max(1, keepdims=True)).sum(1, keepdims=True)
// SEQUENTIAL no: upstream does not lower linalg.softmax
func.func @softmax(%X: memref<8x200xf32>, %Y: memref<8x200xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 8, 1, 1>} {
  %x = bufferization.to_tensor %X restrict : memref<8x200xf32> to tensor<8x200xf32>
  %e = tensor.empty() : tensor<8x200xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %e) -> (tensor<8x200xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [1, 200] [1, 1] : tensor<8x200xf32> to tensor<1x200xf32>
    %os = tensor.extract_slice %o[%i, 0] [1, 200] [1, 1] : tensor<8x200xf32> to tensor<1x200xf32>
    %s = linalg.softmax dimension(1) ins(%xs : tensor<1x200xf32>) outs(%os : tensor<1x200xf32>) -> tensor<1x200xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 200] [1, 1] : tensor<1x200xf32> into tensor<8x200xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %Y : (tensor<8x200xf32>, memref<8x200xf32>) -> ()
  return
}
