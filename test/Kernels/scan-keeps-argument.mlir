// RUN: %python %S/run.py %s
// What is scanned is returned, too, and the scan's outputs name it.
// EXPECT gfx942: workgroup_bytes<=1532 executed=1
// EXPECT sm_90: workgroup_bytes<=1532 executed<=2
// SEQUENTIAL no: eliminate-empty-tensors puts %twice into %out, which is written before %twice is read
// RESULT a1 = np.cumsum(a0 * 2)
// RESULT a2 = a0 * 2
func.func @scan_keeps_argument(%in: memref<256xi32>, %out: memref<256xi32>, %old: memref<256xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<256xi32> to tensor<256xi32>
  %e = tensor.empty() : tensor<256xi32>
  %twice = linalg.add ins(%t, %t : tensor<256xi32>, tensor<256xi32>) outs(%e : tensor<256xi32>) -> tensor<256xi32>
  %s = memspace.scan dimension(0) ins(%twice : tensor<256xi32>) outs(%twice : tensor<256xi32>) {
  ^bb0(%a: i32, %b: i32):
    %sum = arith.addi %a, %b : i32
    memspace.yield %sum : i32
  } -> tensor<256xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<256xi32>, memref<256xi32>) -> ()
  bufferization.materialize_in_destination %twice in restrict writable %old : (tensor<256xi32>, memref<256xi32>) -> ()
  return
}
