// RUN: %python %S/run.py %s
// 1x10 (S10: iree#24735): only the indices are used, and nothing but the tile is made.
// EXPECT gfx942: workgroup_bytes=0 barriers=0 subgroup_barriers=0
// EXPECT sm_90: workgroup_bytes=128 barriers=0 subgroup_barriers<=6
// RESULT a1 = np.argsort(-a0, axis=1, kind='stable')[:, :3]
func.func @topk_unused_values(%x: memref<1x10xf32>, %i: memref<1x3xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<1x10xf32> to tensor<1x10xf32>
  %ve = tensor.empty() : tensor<1x3xf32>
  %ie = tensor.empty() : tensor<1x3xi32>
  %r:2 = memspace.topk dimension(1) ins(%t : tensor<1x10xf32>)
      values(%ve : tensor<1x3xf32>) indices(%ie : tensor<1x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<1x3xf32>, tensor<1x3xi32>
  bufferization.materialize_in_destination %r#1 in restrict writable %i : (tensor<1x3xi32>, memref<1x3xi32>) -> ()
  return
}
