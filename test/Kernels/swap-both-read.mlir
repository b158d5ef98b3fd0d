// RUN: %python %S/run.py %s
// Fibonacci-like: both swapped tiles are read after the loop.
// EXPECT workgroup_bytes=512 barriers<=3
// RESULT a1 = (lambda f: f(f, 3, a0, a0 * a0))(lambda f, n, a, b: a[::-1] - b if n == 0 else f(f, n - 1, b, a + b[::-1]))
func.func @swap_both_read(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %ue = tensor.empty() : tensor<64xi32>
  %u0 = scf.forall (%i) in (64) shared_outs(%o = %ue) -> (tensor<64xi32>) {
    %w = tensor.extract %xt[%i] : tensor<64xi32>
    %v = arith.muli %w, %w : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %t, %b = %u0) -> (tensor<64xi32>, tensor<64xi32>) {
    %n = scf.forall (%i) in (64) shared_outs(%o = %a) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %p = tensor.extract %b[%j] : tensor<64xi32>
      %q = tensor.extract %o[%i] : tensor<64xi32>
      %v = arith.addi %p, %q : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %b, %n : tensor<64xi32>, tensor<64xi32>
  }
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %p = tensor.extract %f#0[%j] : tensor<64xi32>
    %q = tensor.extract %f#1[%i] : tensor<64xi32>
    %v = arith.subi %p, %q : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
