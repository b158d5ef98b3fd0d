// RUN: %python %S/run.py %s
// A sum by halving strides: thread i < s adds element i + s to element i. The
// number of iterations changes, so a barrier may not stand inside the guard.
// EXPECT workgroup_bytes=256 barriers<=3
// RESULT a1 = np.array([a0.sum()], np.int32)
func.func @reduction_tree(%x: memref<64xi32>, %out: memref<1xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %te = tensor.empty() : tensor<64xi32>
  %t0 = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %t = scf.for %k = %c0 to %c6 step %c1 iter_args(%a = %t0) -> (tensor<64xi32>) {
    %stride = arith.shrui %c32, %k : index
    %u = scf.forall (%i) in (%stride) shared_outs(%o = %a) -> (tensor<64xi32>) {
      %far = arith.addi %i, %stride : index
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xi32> to tensor<1xi32>
      %p = tensor.extract %d[%c0] : tensor<1xi32>
      %q = tensor.extract %a[%far] : tensor<64xi32>
      %v = arith.addi %p, %q : i32
      %s = tensor.insert %v into %d[%c0] : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %u : tensor<64xi32>
  }
  %oe = tensor.empty() : tensor<1xi32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %oe) -> (tensor<1xi32>) {
    %v = tensor.extract %t[%i] : tensor<64xi32>
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<1xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<1xi32>, memref<1xi32>) -> ()
  return
}
