// RUN: %python %S/run.py %s
// Three loops in one another; only the innermost exchanges.
// EXPECT barriers=0
// RESULT a2 = __import__("functools").reduce(lambda s, _: (s[1], s[0] - s[1]), range(12), (a0, a1))[0]
// RESULT a3 = __import__("functools").reduce(lambda s, _: (s[1], s[0] - s[1]), range(12), (a0, a1))[1]
func.func @nested_three_deep(%x: memref<32xi32>, %y: memref<32xi32>, %out: memref<32xi32>, %out2: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %xt = bufferization.to_tensor %x restrict : memref<32xi32> to tensor<32xi32>
  %yt = bufferization.to_tensor %y restrict : memref<32xi32> to tensor<32xi32>
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %xt, %b = %yt) -> (tensor<32xi32>, tensor<32xi32>) {
    %s:2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%c = %a, %d = %b) -> (tensor<32xi32>, tensor<32xi32>) {
      %t:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%g = %c, %h = %d) -> (tensor<32xi32>, tensor<32xi32>) {
        %eq = tensor.empty() : tensor<32xi32>
        %q = linalg.sub ins(%g, %h : tensor<32xi32>, tensor<32xi32>) outs(%eq : tensor<32xi32>) -> tensor<32xi32>
        scf.yield %h, %q : tensor<32xi32>, tensor<32xi32>
      }
      scf.yield %t#0, %t#1 : tensor<32xi32>, tensor<32xi32>
    }
    scf.yield %s#0, %s#1 : tensor<32xi32>, tensor<32xi32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %out2 : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
