// RUN: %python %S/run.py %s
// Atomic updates are no race, but a sum, a maximum and what overwrites leave
// another number in another order: each of the three waits for the one before.
// Found by memspace-fuzz --structured (seed 750200001615).
// EXPECT gfx942: workgroup_bytes=128 barriers=3 subgroup_barriers=1
// EXPECT workgroup_bytes=128 barriers=4
// INPUT a1 = np.random.default_rng(11).integers(0, 32, (256, 1))
// INPUT a2 = np.random.default_rng(12).integers(0, 32, (256, 1))
// RESULT a3 = (lambda s, m: np.where(np.isin(np.arange(32), a2[:64, 0]), 7, np.maximum(s, m))[::-1])(np.bincount(a1[:, 0], minlength=32), np.array([max([0] + [a0[k] for k in range(256) if a2[k, 0] == i]) for i in range(32)]))
// INPUT a0 = np.random.default_rng(13).integers(0, 20, 256)
func.func @scatter_then_scatter(%in: memref<256xi32>, %first: memref<256x1xi32>, %second: memref<256x1xi32>, %out: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<256xi32> to tensor<256xi32>
  %i = bufferization.to_tensor %first restrict : memref<256x1xi32> to tensor<256x1xi32>
  %j = bufferization.to_tensor %second restrict : memref<256x1xi32> to tensor<256x1xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant dense<1> : tensor<256xi32>
  %seven = arith.constant dense<7> : tensor<64xi32>
  %e = tensor.empty() : tensor<32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<32xi32>) -> tensor<32xi32>
  %s = memspace.scatter scatter_dims([0]) in_bounds
      ins(%one, %i : tensor<256xi32>, tensor<256x1xi32>) outs(%f : tensor<32xi32>) {
  ^bb0(%x: i32, %old: i32):
    %y = arith.addi %x, %old : i32
    memspace.yield %y : i32
  } -> tensor<32xi32>
  %m = memspace.scatter scatter_dims([0]) in_bounds
      ins(%u, %j : tensor<256xi32>, tensor<256x1xi32>) outs(%s : tensor<32xi32>) {
  ^bb0(%x: i32, %old: i32):
    %y = arith.maxsi %x, %old : i32
    memspace.yield %y : i32
  } -> tensor<32xi32>
  %k = tensor.extract_slice %j[0, 0] [64, 1] [1, 1] : tensor<256x1xi32> to tensor<64x1xi32>
  %w = memspace.scatter scatter_dims([0]) in_bounds
      ins(%seven, %k : tensor<64xi32>, tensor<64x1xi32>) outs(%m : tensor<32xi32>) -> tensor<32xi32>
  %o = tensor.empty() : tensor<32xi32>
  %r = scf.forall (%t) in (32) shared_outs(%d = %o) -> (tensor<32xi32>) {
    %q = affine.apply affine_map<(d0) -> (31 - d0)>(%t)
    %x = tensor.extract_slice %w[%q] [1] [1] : tensor<32xi32> to tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %d[%t] [1] [1] : tensor<1xi32> into tensor<32xi32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
