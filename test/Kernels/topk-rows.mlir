// RUN: %python %S/run.py %s
// The first 10 of each of 64 rows, in the order of their indices where they are
// equal. One row keeps all threads busy: the rows are in a loop, and the tile
// is that of one.
// EXPECT gfx942: workgroup_bytes=8192 barriers<=8 executed<=512
// EXPECT sm_90: workgroup_bytes=8192 barriers<=10 executed<=640
// INPUT a0 = np.random.default_rng(1).integers(0, 300, (64, 1000)).astype(np.float32)
// RESULT a1 = -np.sort(-a0, axis=1)[:, :10]
// RESULT a2 = np.argsort(-a0, axis=1, kind='stable')[:, :10]
func.func @topk_rows(%x: memref<64x1000xf32>, %v: memref<64x10xf32>, %i: memref<64x10xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<64x1000xf32> to tensor<64x1000xf32>
  %ve = tensor.empty() : tensor<64x10xf32>
  %ie = tensor.empty() : tensor<64x10xi32>
  %r:2 = memspace.topk dimension(1) ins(%t : tensor<64x1000xf32>)
      values(%ve : tensor<64x10xf32>) indices(%ie : tensor<64x10xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<64x10xf32>, tensor<64x10xi32>
  bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<64x10xf32>, memref<64x10xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %i : (tensor<64x10xi32>, memref<64x10xi32>) -> ()
  return
}
