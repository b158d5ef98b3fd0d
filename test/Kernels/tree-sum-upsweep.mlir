// RUN: %python %S/run.py %s
// Up-sweep of a scan: half as many threads in each step, in place.
// EXPECT workgroup_bytes<=512 barriers<=4
// RESULT a1 = np.array([a0.sum()])
func.func @tree_sum_upsweep(%x: memref<64xi32>, %out: memref<1xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f = scf.for %k = %c0 to %c6 step %c1 iter_args(%a = %t) -> (tensor<64xi32>) {
    %n = arith.shrui %c32, %k : index
    %d = arith.shli %c1, %k : index
    %d2 = arith.shli %c2, %k : index
    %u = scf.forall (%i) in (%n) shared_outs(%o = %a) -> (tensor<64xi32>) {
      %i1 = arith.addi %i, %c1 : index
      %e = arith.muli %i1, %d2 : index
      %hi = arith.subi %e, %c1 : index
      %lo = arith.subi %hi, %d : index
      %p = tensor.extract %o[%lo] : tensor<64xi32>
      %q = tensor.extract %o[%hi] : tensor<64xi32>
      %v = arith.addi %p, %q : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%hi] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %u : tensor<64xi32>
  }
  %s = tensor.extract %f[%c63] : tensor<64xi32>
  %oe = tensor.empty() : tensor<1xi32>
  %q1 = tensor.insert %s into %oe[%c0] : tensor<1xi32>
  bufferization.materialize_in_destination %q1 in restrict writable %out : (tensor<1xi32>, memref<1xi32>) -> ()

  return
}
