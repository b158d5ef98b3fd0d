// RUN: %python %S/run.py %s
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0
// RESULT a1 = np.cumsum(a0)
func.func @scan_five(%in: memref<5xi32>, %out: memref<5xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<5xi32> to tensor<5xi32>
  %e = tensor.empty() : tensor<5xi32>
  %s = memspace.scan dimension(0) ins(%t : tensor<5xi32>)
      outs(%e : tensor<5xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    memspace.yield %c : i32
  } -> tensor<5xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<5xi32>, memref<5xi32>) -> ()
  return
}
