// RUN: %python %S/run.py %s
// Inside a thread: buffers swap in a loop that starts from a slice of the read-only argument, which must not change.
// EXPECT workgroup_bytes=0 private_bytes<=48 barriers=0
// RESULT a1 = (lambda f: f(f, a0, 3)[:, 1])(lambda f, a, n: a if n == 0 else f(f, a + np.roll(a, -1, 1), n - 1))
func.func @private_swap_from_argument(%x: memref<64x4xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64x4xi32> to tensor<64x4xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %pe = tensor.empty() : tensor<4xi32>
    %x0 = tensor.extract_slice %xt[%i, 0] [1, 4] [1, 1] : tensor<64x4xi32> to tensor<4xi32>
    %f:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %x0, %b = %pe) -> (tensor<4xi32>, tensor<4xi32>) {
      %n = scf.for %q = %c0 to %c4 step %c1 iter_args(%w = %b) -> (tensor<4xi32>) {
        %q1 = arith.addi %q, %c1 : index
        %q2 = arith.remui %q1, %c4 : index
        %u1 = tensor.extract %a[%q] : tensor<4xi32>
        %u2 = tensor.extract %a[%q2] : tensor<4xi32>
        %u = arith.addi %u1, %u2 : i32
        %w1 = tensor.insert %u into %w[%q] : tensor<4xi32>
        scf.yield %w1 : tensor<4xi32>
      }
      scf.yield %n, %a : tensor<4xi32>, tensor<4xi32>
    }
    %v = tensor.extract %f#0[%c1] : tensor<4xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
