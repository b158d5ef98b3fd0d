// RUN: %python %S/run.py %s
// Loops in a loop that exchange buffers which all threads share.
// EXPECT workgroup_bytes=384 barriers=1
// RESULT a2 = __import__("functools").reduce(lambda s, _: (s[1], s[0][::-1] - s[1]), range(6), (a0, a1))[0]
// RESULT a3 = __import__("functools").reduce(lambda s, _: (s[1], s[0][::-1] - s[1]), range(6), (a0, a1))[1]
func.func @nested_shift_shared(%x: memref<32xi32>, %y: memref<32xi32>, %out: memref<32xi32>, %out2: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c31 = arith.constant 31 : index
  %xt = bufferization.to_tensor %x restrict : memref<32xi32> to tensor<32xi32>
  %yt = bufferization.to_tensor %y restrict : memref<32xi32> to tensor<32xi32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %xt, %b = %yt) -> (tensor<32xi32>, tensor<32xi32>) {
    %s:2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%c = %a, %d = %b) -> (tensor<32xi32>, tensor<32xi32>) {
      %e = tensor.empty() : tensor<32xi32>
      %q = scf.forall (%t) in (32) shared_outs(%o = %e) -> (tensor<32xi32>) {
        %u = arith.subi %c31, %t : index
        %p = tensor.extract %c[%u] : tensor<32xi32>
        %v = tensor.extract %d[%t] : tensor<32xi32>
        %w = arith.subi %p, %v : i32
        %f = tensor.from_elements %w : tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %f into %o[%t] [1] [1] : tensor<1xi32> into tensor<32xi32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %d, %q : tensor<32xi32>, tensor<32xi32>
    }
    scf.yield %s#0, %s#1 : tensor<32xi32>, tensor<32xi32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %out2 : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
