// RUN: %python %S/run.py %s
// A histogram in bins that all threads share, of which each thread then reads its
// neighbours'; values without a bin are dropped.
// EXPECT workgroup_bytes=256 private_bytes=4 barriers=2
// INPUT a0 = np.random.default_rng(9).integers(-3, 70, (1000, 1))
// RESULT a1 = (lambda h: h + h[::-1])(np.bincount(a0[(a0 >= 0) & (a0 < 64)], minlength=64))
func.func @scatter_histogram(%in: memref<1000x1xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %i = bufferization.to_tensor %in restrict : memref<1000x1xi32> to tensor<1000x1xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<64xi32>) -> tensor<64xi32>
  %ones = tensor.splat %one : tensor<1000xi32>
  %s = memspace.scatter scatter_dims([0])
      ins(%ones, %i : tensor<1000xi32>, tensor<1000x1xi32>) outs(%f : tensor<64xi32>) {
  ^bb0(%x: i32, %old: i32):
    %y = arith.addi %x, %old : i32
    memspace.yield %y : i32
  } -> tensor<64xi32>
  %o = tensor.empty() : tensor<64xi32>
  %both = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%s, %s : tensor<64xi32>, tensor<64xi32>) outs(%o : tensor<64xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %sum = arith.addi %a, %b : i32
    linalg.yield %sum : i32
  } -> tensor<64xi32>
  bufferization.materialize_in_destination %both in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
