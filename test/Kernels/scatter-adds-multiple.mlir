// RUN: %python %S/run.py %s
// The second scatter adds to what is there a multiple of it: that is no sum that
// may change places with the sums before.
// EXPECT workgroup_bytes=128 barriers=3
// INPUT a0 = np.random.default_rng(13).integers(0, 20, 256)
// INPUT a1 = np.random.default_rng(11).integers(0, 32, (256, 1))
// INPUT a2 = np.arange(256).reshape(256, 1) - 192
// RESULT a3 = (3 * np.bincount(a1[:, 0], weights=a0, minlength=32))[::-1]
func.func @scatter_adds_multiple(%in: memref<256xi32>, %first: memref<256x1xi32>, %second: memref<256x1xi32>, %out: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<256xi32> to tensor<256xi32>
  %i = bufferization.to_tensor %first restrict : memref<256x1xi32> to tensor<256x1xi32>
  %j = bufferization.to_tensor %second restrict : memref<256x1xi32> to tensor<256x1xi32>
  %zero = arith.constant 0 : i32
  %two = arith.constant dense<2> : tensor<256xi32>
  %e = tensor.empty() : tensor<32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<32xi32>) -> tensor<32xi32>
  %s = memspace.scatter scatter_dims([0]) in_bounds
      ins(%u, %i : tensor<256xi32>, tensor<256x1xi32>) outs(%f : tensor<32xi32>) {
  ^bb0(%x: i32, %old: i32):
    %y = arith.addi %x, %old : i32
    memspace.yield %y : i32
  } -> tensor<32xi32>
  %m = memspace.scatter scatter_dims([0])
      ins(%two, %j : tensor<256xi32>, tensor<256x1xi32>) outs(%s : tensor<32xi32>) {
  ^bb0(%x: i32, %old: i32):
    %more = arith.muli %x, %old : i32
    %y = arith.addi %more, %old : i32
    memspace.yield %y : i32
  } -> tensor<32xi32>
  %o = tensor.empty() : tensor<32xi32>
  %r = scf.forall (%t) in (32) shared_outs(%d = %o) -> (tensor<32xi32>) {
    %q = affine.apply affine_map<(d0) -> (31 - d0)>(%t)
    %x = tensor.extract_slice %m[%q] [1] [1] : tensor<32xi32> to tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %d[%t] [1] [1] : tensor<1xi32> into tensor<32xi32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
