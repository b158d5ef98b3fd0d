// RUN: %python %S/run.py %s
// Three tiles rotate through iter_args: new = 2 * cur[i] - prev[i + 1], written
// over the oldest. No copy, one barrier in each iteration.
// EXPECT workgroup_bytes=864 barriers<=3
// RESULT a1 = (lambda f: f(f, a0, a0, 6))(lambda f, prev, cur, n: cur if n == 0 else f(f, cur, 2 * cur - np.roll(prev, -1), n - 1))
func.func @three_step_recurrence(%x: memref<72xi32>, %out: memref<72xi32>)
    attributes {gpu.known_block_size = array<i32: 72, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<72xi32> to tensor<72xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c72 = arith.constant 72 : index
  %two = arith.constant 2 : i32
  %pe = tensor.empty() : tensor<72xi32>
  %ce = tensor.empty() : tensor<72xi32>
  %ne = tensor.empty() : tensor<72xi32>
  %p0, %q0 = scf.forall (%i) in (72) shared_outs(%o = %pe, %q = %ce) -> (tensor<72xi32>, tensor<72xi32>) {
    %v = tensor.extract %xt[%i] : tensor<72xi32>
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<72xi32>
      tensor.parallel_insert_slice %s into %q[%i] [1] [1] : tensor<1xi32> into tensor<72xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f:3 = scf.for %k = %c0 to %c6 step %c1 iter_args(%prev = %p0, %cur = %q0, %old = %ne)
      -> (tensor<72xi32>, tensor<72xi32>, tensor<72xi32>) {
    %new = scf.forall (%i) in (72) shared_outs(%o = %old) -> (tensor<72xi32>) {
      %i1 = arith.addi %i, %c1 : index
      %j = arith.remui %i1, %c72 : index
      %a = tensor.extract %cur[%i] : tensor<72xi32>
      %b = tensor.extract %prev[%j] : tensor<72xi32>
      %a2 = arith.muli %a, %two : i32
      %v = arith.subi %a2, %b : i32
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<72xi32> to tensor<1xi32>
      %s = tensor.insert %v into %d[%c0] : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<72xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %cur, %new, %prev : tensor<72xi32>, tensor<72xi32>, tensor<72xi32>
  }
  %oe = tensor.empty() : tensor<72xi32>
  %r = scf.forall (%i) in (72) shared_outs(%o = %oe) -> (tensor<72xi32>) {
    %v = tensor.extract %f#1[%i] : tensor<72xi32>
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<72xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<72xi32>, memref<72xi32>) -> ()
  return
}
