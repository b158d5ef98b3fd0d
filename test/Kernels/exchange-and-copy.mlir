// RUN: %python %S/run.py %s
// Two tiles change places and a third becomes a copy of one of them.
// EXPECT workgroup_bytes<=768 barriers<=6
// INPUT a0 = np.arange(64)
// RESULT a1 = a0[::-1] - 3 * (a0 * a0)[::-1]
func.func @exchange_and_copy(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %i3 = arith.constant 3 : i32
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %ae = tensor.empty() : tensor<64xi32>
  %be = tensor.empty() : tensor<64xi32>
  %t:2 = scf.forall (%i) in (64) shared_outs(%p = %ae, %q = %be) -> (tensor<64xi32>, tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %w = arith.muli %v, %v : i32
    %vs = tensor.from_elements %v : tensor<1xi32>
    %ws = tensor.from_elements %w : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %vs into %p[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      tensor.parallel_insert_slice %ws into %q[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f:3 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %t#0, %b = %t#1, %c = %t#1) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) {
    scf.yield %b, %a, %a : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  %oe = tensor.empty() : tensor<64xi32>
  // After four swaps %c is what %a was after three: the square.
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %u = tensor.extract %f#0[%j] : tensor<64xi32>
    %v = tensor.extract %f#2[%j] : tensor<64xi32>
    %w = arith.muli %v, %i3 : i32
    %y = arith.subi %u, %w : i32
    %ys = tensor.from_elements %y : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %ys into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
