// RUN: %python %S/run.py %s
// A circular window: the index of a reduced loop in "mod", and a map that counts
// down in it.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a2 = np.stack([a0[(np.arange(16) + j) % 16] + a1[np.arange(16) - j + 3] for j in range(4)]).astype(np.int64).sum(0).astype(a2.dtype) + a2
func.func @tiled_circular_sum(%x: memref<16xi32>, %y: memref<19xi32>, %out: memref<16xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<16xi32> to tensor<16xi32>
  %yt = bufferization.to_tensor %y restrict : memref<19xi32> to tensor<19xi32>
  %ot = bufferization.to_tensor %out restrict writable : memref<16xi32> to tensor<16xi32>
  %window = tensor.empty() : tensor<4xi32>
  %v = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> ((i + j) mod 16)>, affine_map<(i, j) -> (i - j + 3)>,
                       affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%xt, %yt, %window : tensor<16xi32>, tensor<19xi32>, tensor<4xi32>) outs(%ot : tensor<16xi32>) {
  ^bb0(%a: i32, %b: i32, %none: i32, %sum: i32):
    %ab = arith.addi %a, %b : i32
    %s = arith.addi %sum, %ab : i32
    linalg.yield %s : i32
  } -> tensor<16xi32>
  bufferization.materialize_in_destination %v in restrict writable %out : (tensor<16xi32>, memref<16xi32>) -> ()
  return
}
