// RUN: %python %S/run.py %s
// Keys and payloads of a length that is no power of two; more pairs than threads.
// The stages inside of a subgroup's elements need no barrier of the workgroup.
// EXPECT gfx942: workgroup_bytes=3072 barriers<=4 executed<=8
// EXPECT sm_90: workgroup_bytes=3072 barriers<=4 executed<=13
// INPUT a0 = np.random.default_rng(5).integers(0, 40, 200).astype(np.float32)
// INPUT a1 = np.arange(200)
// RESULT a2 = np.sort(a0)[::-1]
// RESULT a3 = np.argsort(-a0, kind='stable')
func.func @sort_pairs(%key: memref<200xf32>, %pay: memref<200xi32>, %out: memref<200xf32>, %perm: memref<200xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %kt = bufferization.to_tensor %key restrict : memref<200xf32> to tensor<200xf32>
  %pt = bufferization.to_tensor %pay restrict : memref<200xi32> to tensor<200xi32>
  %ke = tensor.empty() : tensor<200xf32>
  %pe = tensor.empty() : tensor<200xi32>
  %s:2 = memspace.sort dimension(0) stable
      ins(%kt, %pt : tensor<200xf32>, tensor<200xi32>)
      outs(%ke, %pe : tensor<200xf32>, tensor<200xi32>) {
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
    %before = arith.cmpf ogt, %a, %b : f32
    memspace.yield %before : i1
  } -> tensor<200xf32>, tensor<200xi32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<200xf32>, memref<200xf32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %perm : (tensor<200xi32>, memref<200xi32>) -> ()
  return
}
