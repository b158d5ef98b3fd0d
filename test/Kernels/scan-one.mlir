// RUN: %python %S/run.py %s
// Nothing comes before a single element but the initial value.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = np.full_like(a0, 5)
func.func @scan_one(%in: memref<3x1xi32>, %out: memref<3x1xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<3x1xi32> to tensor<3x1xi32>
  %init = arith.constant 5 : i32
  %e = tensor.empty() : tensor<3x1xi32>
  %s = memspace.scan dimension(1) exclusive ins(%t : tensor<3x1xi32>)
      initial(%init : i32)
      outs(%e : tensor<3x1xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    memspace.yield %c : i32
  } -> tensor<3x1xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<3x1xi32>, memref<3x1xi32>) -> ()
  return
}
