// RUN: %python %S/run.py %s
// Updates and places that are computed: each thread computes its own where it needs them,
// and there is no tensor of either.
// EXPECT workgroup_bytes=0 private_bytes<=8 barriers=1
// RESULT a1 = np.bincount((np.floor(a0 * 4)).astype(int) & 15, weights=(a0 * 0 + 2), minlength=16).astype(np.int32)
func.func @scatter_computed(%in: memref<1000xf32>, %out: memref<16xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<1000xf32> to tensor<1000xf32>
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %four = arith.constant 4.0 : f32
  %mask = arith.constant 15 : i32
  %e = tensor.empty() : tensor<16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<16xi32>) -> tensor<16xi32>
  %ue = tensor.empty() : tensor<1000xi32>
  %u = linalg.fill ins(%two : i32) outs(%ue : tensor<1000xi32>) -> tensor<1000xi32>
  %be = tensor.empty() : tensor<1000x1xi32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<1000xf32>) outs(%be : tensor<1000x1xi32>) {
  ^bb0(%x: f32, %o: i32):
    %scaled = arith.mulf %x, %four : f32
    %floor = math.floor %scaled : f32
    %int = arith.fptosi %floor : f32 to i32
    %bin = arith.andi %int, %mask : i32
    linalg.yield %bin : i32
  } -> tensor<1000x1xi32>
  %s = memspace.scatter scatter_dims([0]) in_bounds
      ins(%u, %b : tensor<1000xi32>, tensor<1000x1xi32>) outs(%f : tensor<16xi32>) {
  ^bb0(%x: i32, %old: i32):
    %y = arith.addi %x, %old : i32
    memspace.yield %y : i32
  } -> tensor<16xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<16xi32>, memref<16xi32>) -> ()
  return
}
