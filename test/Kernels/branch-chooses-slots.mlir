// RUN: %python %S/run.py %s
// A branch chooses which of two carried tensors a third one takes; all are copied back.
// EXPECT barriers=0
// RESULT a2 = __import__("functools").reduce(lambda s, i: (s[0] if i % 2 == 0 else s[1], s[2], s[1] - s[0]), range(3), (a0, a1, a1))[0]
// RESULT a3 = __import__("functools").reduce(lambda s, i: (s[0] if i % 2 == 0 else s[1], s[2], s[1] - s[0]), range(3), (a0, a1, a1))[2]
func.func @branch_chooses_slots(%x: memref<32xi32>, %y: memref<32xi32>, %out: memref<32xi32>, %out2: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %xt = bufferization.to_tensor %x restrict : memref<32xi32> to tensor<32xi32>
  %yt = bufferization.to_tensor %y restrict : memref<32xi32> to tensor<32xi32>
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %xt, %b = %yt, %c = %yt) -> (tensor<32xi32>, tensor<32xi32>, tensor<32xi32>) {
    %m = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %m, %c0 : index
    %f:2 = scf.if %even -> (tensor<32xi32>, tensor<32xi32>) {
      scf.yield %a, %c : tensor<32xi32>, tensor<32xi32>
    } else {
      scf.yield %b, %c : tensor<32xi32>, tensor<32xi32>
    }
    %eq = tensor.empty() : tensor<32xi32>
    %q = linalg.sub ins(%b, %a : tensor<32xi32>, tensor<32xi32>) outs(%eq : tensor<32xi32>) -> tensor<32xi32>
    scf.yield %f#0, %f#1, %q : tensor<32xi32>, tensor<32xi32>, tensor<32xi32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()
  bufferization.materialize_in_destination %r#2 in restrict writable %out2 : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
