// RUN: %python %S/run.py %s
// In each round every thread reads what all have added in the rounds before: plain loads
// and atomic updates are kept apart, in both directions.
// EXPECT workgroup_bytes<=64 private_bytes<=8 executed<=16
// INPUT a0 = np.random.default_rng(22).integers(0, 16, (6, 96, 1))
// RESULT a1 = [h := np.ones(16, np.int64)] and [h := h + np.bincount(a0[k, :, 0], weights=h[::-1][a0[k, :, 0]], minlength=16).astype(np.int64) for k in range(6)][-1]
func.func @scatter_in_loop(%in: memref<6x96x1xi32>, %out: memref<16xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c15 = arith.constant 15 : index
  %one = arith.constant 1 : i32
  %t = bufferization.to_tensor %in restrict : memref<6x96x1xi32> to tensor<6x96x1xi32>
  %e = tensor.empty() : tensor<16xi32>
  %f = linalg.fill ins(%one : i32) outs(%e : tensor<16xi32>) -> tensor<16xi32>
  %r = scf.for %k = %c0 to %c6 step %c1 iter_args(%h = %f) -> (tensor<16xi32>) {
    %at = tensor.extract_slice %t[%k, 0, 0] [1, 96, 1] [1, 1, 1] : tensor<6x96x1xi32> to tensor<96x1xi32>
    %row = tensor.extract_slice %t[%k, 0, 0] [1, 96, 1] [1, 1, 1] : tensor<6x96x1xi32> to tensor<96xi32>
    %ue = tensor.empty() : tensor<96xi32>
    %u = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%row : tensor<96xi32>) outs(%ue : tensor<96xi32>) {
    ^bb0(%bin: i32, %o: i32):
      %p = arith.index_cast %bin : i32 to index
      %q = arith.subi %c15, %p : index
      %x = tensor.extract %h[%q] : tensor<16xi32>
      linalg.yield %x : i32
    } -> tensor<96xi32>
    %s = memspace.scatter scatter_dims([0]) in_bounds
        ins(%u, %at : tensor<96xi32>, tensor<96x1xi32>) outs(%h : tensor<16xi32>) {
    ^bb0(%x: i32, %old: i32):
      %y = arith.addi %x, %old : i32
      memspace.yield %y : i32
    } -> tensor<16xi32>
    scf.yield %s : tensor<16xi32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<16xi32>, memref<16xi32>) -> ()
  return
}
