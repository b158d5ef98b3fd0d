// RUN: %python %S/run.py %s
// Both branches in a loop make a fresh tile that escapes.
// EXPECT workgroup_bytes<=768 barriers<=5
// RESULT a1 = (lambda f: f(f, a0, 0))(lambda f, a, k: a if k == 5 else f(f, np.roll(a, -1) + 1 if k % 2 == 0 else a[::-1], k + 1))
func.func @fresh_in_both_branches(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %oi = arith.constant 1 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c5 = arith.constant 5 : index
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %t) -> (tensor<64xi32>) {
    %m = arith.remui %k, %c2 : index
    %e = arith.cmpi eq, %m, %c0 : index
    %n = scf.if %e -> (tensor<64xi32>) {
      %q1 = tensor.empty() : tensor<64xi32>
      %u = scf.forall (%i) in (64) shared_outs(%o = %q1) -> (tensor<64xi32>) {
        %i1 = arith.addi %i, %c1 : index
        %j = arith.remui %i1, %c64 : index
        %w = tensor.extract %a[%j] : tensor<64xi32>
        %v = arith.addi %w, %oi : i32
        %se_ = tensor.from_elements %v : tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %u : tensor<64xi32>
    } else {
      %q2 = tensor.empty() : tensor<64xi32>
      %u = scf.forall (%i) in (64) shared_outs(%o = %q2) -> (tensor<64xi32>) {
        %j = arith.subi %c63, %i : index
        %v = tensor.extract %a[%j] : tensor<64xi32>
        %se_ = tensor.from_elements %v : tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %u : tensor<64xi32>
    }
    scf.yield %n : tensor<64xi32>
  }
  bufferization.materialize_in_destination %f in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
