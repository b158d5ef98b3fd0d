// RUN: %python %S/run.py %s
// A row that is longer than the tile comes in parts: 100,000 elements in 4 KB, each
// of them read once.
// EXPECT workgroup_bytes=4096 barriers<=8 executed<=1464
// INPUT a0 = np.random.default_rng(2).permutation(100000).astype(np.int32)
// RESULT a1 = np.sort(a0)[:20]
// RESULT a2 = np.argsort(a0)[:20]
func.func @topk_long_row(%x: memref<100000xi32>, %v: memref<20xi32>, %i: memref<20xi64>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<100000xi32> to tensor<100000xi32>
  %ve = tensor.empty() : tensor<20xi32>
  %ie = tensor.empty() : tensor<20xi64>
  %r:2 = memspace.topk dimension(0) ins(%t : tensor<100000xi32>)
      values(%ve : tensor<20xi32>) indices(%ie : tensor<20xi64>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  } -> tensor<20xi32>, tensor<20xi64>
  bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<20xi32>, memref<20xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %i : (tensor<20xi64>, memref<20xi64>) -> ()
  return
}
