// RUN: %python %S/run.py %s
// A while that exchanges, in a loop that exchanges.
// EXPECT barriers=0
// RESULT a2 = __import__("functools").reduce(lambda s, _: (lambda t: (t[1], t[0]))(__import__("functools").reduce(lambda t, _: (t[1], t[0] - t[1]), range(3), s)), range(3), (a0, a1))[0]
// RESULT a3 = __import__("functools").reduce(lambda s, _: (lambda t: (t[1], t[0]))(__import__("functools").reduce(lambda t, _: (t[1], t[0] - t[1]), range(3), s)), range(3), (a0, a1))[1]
func.func @nested_while(%x: memref<32xi32>, %y: memref<32xi32>, %out: memref<32xi32>, %out2: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %xt = bufferization.to_tensor %x restrict : memref<32xi32> to tensor<32xi32>
  %yt = bufferization.to_tensor %y restrict : memref<32xi32> to tensor<32xi32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %xt, %b = %yt) -> (tensor<32xi32>, tensor<32xi32>) {
    %w:3 = scf.while (%j = %c0, %c = %a, %d = %b) : (index, tensor<32xi32>, tensor<32xi32>) -> (index, tensor<32xi32>, tensor<32xi32>) {
      %on = arith.cmpi ult, %j, %c3 : index
      scf.condition(%on) %j, %c, %d : index, tensor<32xi32>, tensor<32xi32>
    } do {
    ^bb0(%j: index, %c: tensor<32xi32>, %d: tensor<32xi32>):
      %n = arith.addi %j, %c1 : index
      %eq = tensor.empty() : tensor<32xi32>
      %q = linalg.sub ins(%c, %d : tensor<32xi32>, tensor<32xi32>) outs(%eq : tensor<32xi32>) -> tensor<32xi32>
      scf.yield %n, %d, %q : index, tensor<32xi32>, tensor<32xi32>
    }
    scf.yield %w#2, %w#1 : tensor<32xi32>, tensor<32xi32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %out2 : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
