// RUN: %python %S/run.py %s
// A condition that does not pass on all that the loop carries: what the second
// region yields in its place goes into its buffer, too.
// EXPECT barriers<=4
// RESULT a2 = __import__("functools").reduce(lambda s, _: (s[0] - s[1] - a1, s[0] - s[1]), range(2), (a0, a1))[0] - __import__("functools").reduce(lambda s, _: (s[0] - s[1] - a1, s[0] - s[1]), range(2), (a0, a1))[1]
func.func @while_drops(%x: memref<32xi32>, %y: memref<32xi32>, %out: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %xt = bufferization.to_tensor %x restrict : memref<32xi32> to tensor<32xi32>
  %yt = bufferization.to_tensor %y restrict : memref<32xi32> to tensor<32xi32>
  %e = tensor.empty() : tensor<32xi32>
  %r:2 = scf.while (%a = %xt, %b = %yt, %j = %c0) : (tensor<32xi32>, tensor<32xi32>, index) -> (tensor<32xi32>, index) {
    %next = linalg.sub ins(%a, %b : tensor<32xi32>, tensor<32xi32>) outs(%e : tensor<32xi32>) -> tensor<32xi32>
    %on = arith.cmpi ult, %j, %c2 : index
    scf.condition(%on) %next, %j : tensor<32xi32>, index
  } do {
  ^bb0(%next: tensor<32xi32>, %j: index):
    %f = tensor.empty() : tensor<32xi32>
    %a = linalg.sub ins(%next, %yt : tensor<32xi32>, tensor<32xi32>) outs(%f : tensor<32xi32>) -> tensor<32xi32>
    %n = arith.addi %j, %c1 : index
    scf.yield %a, %next, %n : tensor<32xi32>, tensor<32xi32>, index
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
