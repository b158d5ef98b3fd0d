// RUN: %python %S/run.py %s
// Cyclic slices (stride 64) written and read by the same thread.
// EXPECT workgroup_bytes=0 barriers=0
// TOLERANCE 1e-4
// RESULT a1 = -np.exp(a0)
func.func @aligned_cyclic(%x: memref<256xf32>, %out: memref<256xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<256xf32> to tensor<256xf32>
  %te = tensor.empty() : tensor<256xf32>
  %c64 = arith.constant 64 : index
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<256xf32>) {
    %s = tensor.extract_slice %xt[%i] [4] [64] : tensor<256xf32> to tensor<4xf32>
    %d = tensor.extract_slice %o[%i] [4] [64] : tensor<256xf32> to tensor<4xf32>
    %q = linalg.exp ins(%s : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%i] [4] [64] : tensor<4xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<256xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<256xf32>) {
    %s = tensor.extract_slice %t[%i] [4] [64] : tensor<256xf32> to tensor<4xf32>
    %d = tensor.extract_slice %o[%i] [4] [64] : tensor<256xf32> to tensor<4xf32>
    %q = linalg.negf ins(%s : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%i] [4] [64] : tensor<4xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()

  return
}
