// RUN: %python %S/run.py %s
// A while loop with fresh tiles inside a for loop.
// EXPECT workgroup_bytes<=768 barriers<=6
// RESULT a1 = (lambda f: f(f, f(f, a0, 20), 40))(lambda f, a, l: f(f, np.roll(a, -1) + 1, l) if a[3] < l else a)
func.func @while_in_for(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
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
  %f = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %t) -> (tensor<64xi32>) {
    %ki = arith.index_cast %k : index to i32
    %k1 = arith.addi %ki, %oi : i32
    %lim = arith.muli %k1, %c20 : i32
    %g = scf.while (%p = %a) : (tensor<64xi32>) -> tensor<64xi32> {
      %h = tensor.extract %p[%c3] : tensor<64xi32>
      %go = arith.cmpi slt, %h, %lim : i32
      scf.condition(%go) %p : tensor<64xi32>
    } do {
      ^bb0(%p: tensor<64xi32>):
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
  }
  bufferization.materialize_in_destination %f in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
