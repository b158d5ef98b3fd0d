// RUN: %python %S/run.py %s
// The first 33 of 100, in blocks of 64 places of which each has 16 lanes of 4 places, and
// the first one, in blocks that are a place: halves of rows are compared among lanes, and
// then in each lane.
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// INPUT a0 = np.random.default_rng(1).permutation(100).astype(np.float64)
// RESULT a1 = np.argsort(a0)[:33]
// RESULT a2 = np.argsort(a0)[:1]
func.func @topk_lanes_most(%in: memref<100xf64>, %i: memref<33xi32>, %j: memref<1xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<100xf64> to tensor<100xf64>
  %ie = tensor.empty() : tensor<33xi32>
  %je = tensor.empty() : tensor<1xi32>
  %r = memspace.topk dimension(0) ins(%t : tensor<100xf64>) indices(%ie : tensor<33xi32>) {
  ^bb0(%a: f64, %b: f64):
    %first = arith.cmpf olt, %a, %b : f64
    memspace.yield %first : i1
  } -> tensor<33xi32>
  %s = memspace.topk dimension(0) ins(%t : tensor<100xf64>) indices(%je : tensor<1xi32>) {
  ^bb0(%a: f64, %b: f64):
    %first = arith.cmpf olt, %a, %b : f64
    memspace.yield %first : i1
  } -> tensor<1xi32>
  bufferization.materialize_in_destination %r in restrict writable %i : (tensor<33xi32>, memref<33xi32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %j : (tensor<1xi32>, memref<1xi32>) -> ()
  return
}
