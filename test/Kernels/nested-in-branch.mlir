// RUN: %python %S/run.py %s
// The inner loop that exchanges is in a branch of the outer one.
// EXPECT barriers=0
// RESULT a2 = __import__("functools").reduce(lambda s, i: __import__("functools").reduce(lambda t, _: (t[1], t[0] - t[1]), range(3), s) if i % 2 == 0 else (s[1], s[0]), range(4), (a0, a1))[0]
// RESULT a3 = __import__("functools").reduce(lambda s, i: __import__("functools").reduce(lambda t, _: (t[1], t[0] - t[1]), range(3), s) if i % 2 == 0 else (s[1], s[0]), range(4), (a0, a1))[1]
func.func @nested_in_branch(%x: memref<32xi32>, %y: memref<32xi32>, %out: memref<32xi32>, %out2: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %xt = bufferization.to_tensor %x restrict : memref<32xi32> to tensor<32xi32>
  %yt = bufferization.to_tensor %y restrict : memref<32xi32> to tensor<32xi32>
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %xt, %b = %yt) -> (tensor<32xi32>, tensor<32xi32>) {
    %m = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %m, %c0 : index
    %f:2 = scf.if %even -> (tensor<32xi32>, tensor<32xi32>) {
      %s:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%c = %a, %d = %b) -> (tensor<32xi32>, tensor<32xi32>) {
        %eq = tensor.empty() : tensor<32xi32>
        %q = linalg.sub ins(%c, %d : tensor<32xi32>, tensor<32xi32>) outs(%eq : tensor<32xi32>) -> tensor<32xi32>
        scf.yield %d, %q : tensor<32xi32>, tensor<32xi32>
      }
      scf.yield %s#0, %s#1 : tensor<32xi32>, tensor<32xi32>
    } else {
      scf.yield %b, %a : tensor<32xi32>, tensor<32xi32>
    }
    scf.yield %f#0, %f#1 : tensor<32xi32>, tensor<32xi32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %out2 : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
