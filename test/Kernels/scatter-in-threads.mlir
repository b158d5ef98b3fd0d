// RUN: %python %S/run.py %s
// Each thread scatters into eight elements of its own, one update after the other: of
// repeated places the last one wins. Nobody waits, nothing is atomic.
// EXPECT workgroup_bytes=0 barriers=0
// INPUT a1 = np.random.default_rng(11).integers(0, 8, (32, 12, 1))
// RESULT a2 = np.array([[([0] + [a0[r, k] for k in range(12) if a1[r, k, 0] == i])[-1] for i in range(8)] for r in range(32)])
func.func @scatter_in_threads(%in: memref<32x12xi32>, %index: memref<32x12x1xi8>, %out: memref<32x8xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<32x12xi32> to tensor<32x12xi32>
  %i = bufferization.to_tensor %index restrict : memref<32x12x1xi8> to tensor<32x12x1xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<32x8xi32>
  %r = scf.forall (%n) in (32) shared_outs(%o = %e) -> (tensor<32x8xi32>) {
    %row = tensor.extract_slice %t[%n, 0] [1, 12] [1, 1] : tensor<32x12xi32> to tensor<12xi32>
    %at = tensor.extract_slice %i[%n, 0, 0] [1, 12, 1] [1, 1, 1] : tensor<32x12x1xi8> to tensor<12x1xi8>
    %own = tensor.empty() : tensor<8xi32>
    %f = linalg.fill ins(%zero : i32) outs(%own : tensor<8xi32>) -> tensor<8xi32>
    %s = memspace.scatter scatter_dims([0]) ins(%row, %at : tensor<12xi32>, tensor<12x1xi8>) outs(%f : tensor<8xi32>) -> tensor<8xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%n, 0] [1, 8] [1, 1] : tensor<8xi32> into tensor<32x8xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32x8xi32>, memref<32x8xi32>) -> ()
  return
}
