// RUN: %python %S/run.py %s
// Loops in a loop that exchange, of one thread's tiles.
// EXPECT workgroup_bytes=0 private_bytes<=64 barriers=0
// RESULT a2 = __import__("functools").reduce(lambda s, _: (s[1], s[0] - s[1]), range(6), (a0, a1))[0]
// RESULT a3 = __import__("functools").reduce(lambda s, _: (s[1], s[0] - s[1]), range(6), (a0, a1))[1]
func.func @nested_per_thread(%x: memref<16x4xi32>, %y: memref<16x4xi32>, %out: memref<16x4xi32>, %out2: memref<16x4xi32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %xt = bufferization.to_tensor %x restrict : memref<16x4xi32> to tensor<16x4xi32>
  %yt = bufferization.to_tensor %y restrict : memref<16x4xi32> to tensor<16x4xi32>
  %oe = tensor.empty() : tensor<16x4xi32>
  %oe2 = tensor.empty() : tensor<16x4xi32>
  %o:2 = scf.forall (%t) in (16) shared_outs(%w = %oe, %w2 = %oe2) -> (tensor<16x4xi32>, tensor<16x4xi32>) {
    %xs = tensor.extract_slice %xt[%t, 0] [1, 4] [1, 1] : tensor<16x4xi32> to tensor<4xi32>
    %ys = tensor.extract_slice %yt[%t, 0] [1, 4] [1, 1] : tensor<16x4xi32> to tensor<4xi32>
    %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %xs, %b = %ys) -> (tensor<4xi32>, tensor<4xi32>) {
      %s:2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%c = %a, %d = %b) -> (tensor<4xi32>, tensor<4xi32>) {
        %e = tensor.empty() : tensor<4xi32>
        %q = linalg.sub ins(%c, %d : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
        scf.yield %d, %q : tensor<4xi32>, tensor<4xi32>
      }
      scf.yield %s#0, %s#1 : tensor<4xi32>, tensor<4xi32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r#0 into %w[%t, 0] [1, 4] [1, 1] : tensor<4xi32> into tensor<16x4xi32>
      tensor.parallel_insert_slice %r#1 into %w2[%t, 0] [1, 4] [1, 1] : tensor<4xi32> into tensor<16x4xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %o#0 in restrict writable %out : (tensor<16x4xi32>, memref<16x4xi32>) -> ()
  bufferization.materialize_in_destination %o#1 in restrict writable %out2 : (tensor<16x4xi32>, memref<16x4xi32>) -> ()
  return
}
