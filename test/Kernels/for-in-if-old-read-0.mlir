// RUN: %python %S/run.py %s
// A branch has a loop of fresh tiles or an update in place; the old tile is still read.
// EXPECT workgroup_bytes<=1024 barriers<=6
// INPUT a0 = np.concatenate([[0], np.arange(63)])
// RESULT a1 = ((np.roll(a0, -3) + 3) if a0[0] > 1 else a0 + 1)[::-1] - a0
func.func @for_in_if_old_read_0(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %oi = arith.constant 1 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c20 = arith.constant 20 : i32
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %h0 = tensor.extract %t[%c0] : tensor<64xi32>
  %cn = arith.cmpi sgt, %h0, %oi : i32
  %f = scf.if %cn -> (tensor<64xi32>) {
    %g = scf.for %k = %c0 to %c3 step %c1 iter_args(%p = %t) -> (tensor<64xi32>) {
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
    scf.yield %g : tensor<64xi32>
  } else {
    %u = scf.forall (%i) in (64) shared_outs(%o = %t) -> (tensor<64xi32>) {
      %w = tensor.extract %o[%i] : tensor<64xi32>
      %v = arith.addi %w, %oi : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %u : tensor<64xi32>
  }
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %p1 = tensor.extract %f[%j] : tensor<64xi32>
    %p2 = tensor.extract %t[%i] : tensor<64xi32>
    %v = arith.subi %p1, %p2 : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
