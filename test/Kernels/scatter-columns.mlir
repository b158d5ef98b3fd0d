// RUN: %python %S/run.py %s
// As many threads as columns: each adds to a column of its own, which nobody else sees.
// Its part of the sums is private, and nothing is atomic.
// EXPECT workgroup_bytes=0 private_bytes<=32 barriers=0
// INPUT a1 = np.random.default_rng(16).integers(0, 8, (100, 1))
// TOLERANCE 1e-4
// RESULT a2 = np.stack([2 * a0[a1[:, 0] == i].sum(axis=0) for i in range(8)])
func.func @scatter_columns(%in: memref<100x64xf32>, %index: memref<100x1xi32>, %out: memref<8x64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<100x64xf32> to tensor<100x64xf32>
  %i = bufferization.to_tensor %index restrict : memref<100x1xi32> to tensor<100x1xi32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %f = scf.forall (%t) in (64) shared_outs(%o = %e) -> (tensor<8x64xf32>) {
    %part = tensor.extract_slice %o[0, %t] [8, 1] [1, 1] : tensor<8x64xf32> to tensor<8x1xf32>
    %z = linalg.fill ins(%zero : f32) outs(%part : tensor<8x1xf32>) -> tensor<8x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %o[0, %t] [8, 1] [1, 1] : tensor<8x1xf32> into tensor<8x64xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  %s = memspace.scatter scatter_dims([0])
      ins(%u, %i : tensor<100x64xf32>, tensor<100x1xi32>) outs(%f : tensor<8x64xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.addf %x, %old : f32
    memspace.yield %y : f32
  } -> tensor<8x64xf32>
  %d = tensor.empty() : tensor<8x64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%o = %d) -> (tensor<8x64xf32>) {
    %part = tensor.extract_slice %s[0, %t] [8, 1] [1, 1] : tensor<8x64xf32> to tensor<8x1xf32>
    %to = tensor.extract_slice %o[0, %t] [8, 1] [1, 1] : tensor<8x64xf32> to tensor<8x1xf32>
    %two = linalg.add ins(%part, %part : tensor<8x1xf32>, tensor<8x1xf32>) outs(%to : tensor<8x1xf32>) -> tensor<8x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %two into %o[0, %t] [8, 1] [1, 1] : tensor<8x1xf32> into tensor<8x64xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  return
}
