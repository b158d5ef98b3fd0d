// RUN: %python %S/run.py %s
// A copy that a conflict makes is decided like any other buffer, whatever memory
// it copies from.
// EXPECT barriers=0 workgroup_bytes=0
// RESULT a1 = a0 + 1
// SEQUENTIAL no: stock MLIR keeps the copy in the caller's space
#id = affine_map<(d0) -> (d0)>
func.func @k(%X: memref<128xf32, #gpu.address_space<global>>, %Y: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %x = bufferization.to_tensor %X restrict : memref<128xf32, #gpu.address_space<global>> to tensor<128xf32>
  %one = arith.constant 1.0 : f32
  %m = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<128xf32>) {
  ^bb0(%o: f32):
    %s = arith.addf %o, %one : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  bufferization.materialize_in_destination %m in restrict writable %Y : (tensor<128xf32>, memref<128xf32>) -> ()
  return
}
