// RUN: %python %S/run.py %s
// Two tiles swapped in the inner loop and in the outer loop.
// EXPECT workgroup_bytes=512 barriers<=3
// RESULT a1 = (lambda f: f(f, 3, a0, a0 * 0))(lambda f, n, a, b: a if n == 0 else f(f, n - 1, *(lambda x0: (lambda x1: (lambda x2: (x1, x2))(x1[::-1] + 2))(x0[::-1] + 1))(a[::-1])))
func.func @nested_swap_both(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c63 = arith.constant 63 : index
  %e0 = tensor.empty() : tensor<64xi32>
  %e1 = tensor.empty() : tensor<64xi32>
  %t0 = scf.forall (%i) in (64) shared_outs(%o = %e0) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f:2 = scf.for %u = %c0 to %c3 step %c1 iter_args(%a = %t0, %b = %e1) -> (tensor<64xi32>, tensor<64xi32>) {
    %g:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %b) -> (tensor<64xi32>, tensor<64xi32>) {
      %kk = arith.index_cast %k : index to i32
      %n1 = scf.forall (%i) in (64) shared_outs(%o = %q) -> (tensor<64xi32>) {
        %j = arith.subi %c63, %i : index
        %w = tensor.extract %p[%j] : tensor<64xi32>
        %v = arith.addi %w, %kk : i32
        %se_ = tensor.from_elements %v : tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %n1, %p : tensor<64xi32>, tensor<64xi32>
    }
    scf.yield %g#1, %g#0 : tensor<64xi32>, tensor<64xi32>
  }
  bufferization.materialize_in_destination %f#0 in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
