// RUN: %python %S/run.py %s
// The sorted keys are not used, but the comparator needs them (S10: iree#24735);
// the payload that nobody needs at all is gone.
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// INPUT a0 = np.random.default_rng(3).permutation(64).astype(np.float32)
// INPUT a1 = np.arange(64)
// RESULT a2 = np.argsort(a0)
func.func @argsort(%key: memref<64xf32>, %iota: memref<64xi32>, %perm: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %kt = bufferization.to_tensor %key restrict : memref<64xf32> to tensor<64xf32>
  %pt = bufferization.to_tensor %iota restrict : memref<64xi32> to tensor<64xi32>
  %ke = tensor.empty() : tensor<64xf32>
  %pe = tensor.empty() : tensor<64xi32>
  %s:3 = memspace.sort dimension(0)
      ins(%kt, %pt, %kt : tensor<64xf32>, tensor<64xi32>, tensor<64xf32>)
      outs(%ke, %pe, %ke : tensor<64xf32>, tensor<64xi32>, tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32, %c: f32, %d: f32):
    %before = arith.cmpf olt, %a, %b : f32
    memspace.yield %before : i1
  } -> tensor<64xf32>, tensor<64xi32>, tensor<64xf32>
  bufferization.materialize_in_destination %s#1 in restrict writable %perm : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
