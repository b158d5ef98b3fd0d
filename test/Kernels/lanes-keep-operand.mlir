// RUN: %python %S/run.py %s
// What is sorted and scanned in place by lanes is needed afterwards: it is copied
// as a whole before.
// EXPECT workgroup_bytes<=616
// RESULT a1 = np.sort(a0 * 2) + np.cumsum(a0 * 2) + a0 * 2
func.func @lanes_keep(%in: memref<50xi32>, %out: memref<50xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<50xi32> to tensor<50xi32>
  %e = tensor.empty() : tensor<50xi32>
  %q = linalg.add ins(%t, %t : tensor<50xi32>, tensor<50xi32>) outs(%e : tensor<50xi32>) -> tensor<50xi32>
  %s = memspace.sort dimension(0) ins(%q : tensor<50xi32>) outs(%q : tensor<50xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  } -> tensor<50xi32>
  %r = memspace.scan dimension(0) ins(%q : tensor<50xi32>) outs(%q : tensor<50xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    memspace.yield %c : i32
  } -> tensor<50xi32>
  %x = linalg.add ins(%s, %r : tensor<50xi32>, tensor<50xi32>) outs(%e : tensor<50xi32>) -> tensor<50xi32>
  %y = linalg.add ins(%x, %q : tensor<50xi32>, tensor<50xi32>) outs(%e : tensor<50xi32>) -> tensor<50xi32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<50xi32>, memref<50xi32>) -> ()
  return
}
