// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// What is sorted in place is returned, too (S8: iree#24665).
// EXPECT workgroup_bytes<=512 barriers<=3
// SEQUENTIAL no: upstream does not bufferize the dialect
// RESULT a1 = np.sort(a0 * 2)
// RESULT a2 = a0 * 2
func.func @sort_keeps_argument(%in: memref<64xf32>, %out: memref<64xf32>, %old: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %twice = linalg.add ins(%t, %t : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = ext.sort dimension(0) outs(%twice : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %before = arith.cmpf olt, %a, %b : f32
    ext.yield %before : i1
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  bufferization.materialize_in_destination %twice in restrict writable %old : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
