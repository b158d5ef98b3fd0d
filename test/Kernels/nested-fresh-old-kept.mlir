// RUN: %python %S/run.py %s
// A nested loop makes fresh tiles; the outer tile is still read after it.
// EXPECT workgroup_bytes<=1024 barriers<=6
// RESULT a1 = (lambda f: f(f, a0, 0))(lambda f, a, k: a if k == 3 else f(f, (np.roll(a, -2) + 2)[::-1] - a, k + 1))[::-1]
func.func @nested_fresh_old_kept(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %oi = arith.constant 1 : i32
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
  %f = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %t) -> (tensor<64xi32>) {
    %g = scf.for %k2 = %c0 to %c2 step %c1 iter_args(%p = %a) -> (tensor<64xi32>) {
      %q1 = tensor.empty() : tensor<64xi32>
      %u = scf.forall (%i) in (64) shared_outs(%o = %q1) -> (tensor<64xi32>) {
        %i1 = arith.addi %i, %c1 : index
        %j = arith.remui %i1, %c64 : index
        %w = tensor.extract %p[%j] : tensor<64xi32>
        %v = arith.addi %w, %oi : i32
        %se_ = tensor.from_elements %v : tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %u : tensor<64xi32>
    }
    %q2 = tensor.empty() : tensor<64xi32>
    %s = scf.forall (%i) in (64) shared_outs(%o = %q2) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %p1 = tensor.extract %g[%j] : tensor<64xi32>
      %p2 = tensor.extract %a[%i] : tensor<64xi32>
      %v = arith.subi %p1, %p2 : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %s : tensor<64xi32>
  }
  %oer = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oer) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %f[%j] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
