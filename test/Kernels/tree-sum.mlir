// RUN: %python %S/run.py %s
// Tree reduction in place; element 0 is stored through a slice.
// EXPECT workgroup_bytes<=512 barriers<=4
// RESULT a1 = np.array([a0.sum()])
func.func @tree_sum(%x: memref<64xi32>, %out: memref<1xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
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
    %u = scf.forall (%i) in (%n) shared_outs(%o = %a) -> (tensor<64xi32>) {
      %i2 = arith.addi %i, %n : index
      %p = tensor.extract %a[%i] : tensor<64xi32>
      %q = tensor.extract %a[%i2] : tensor<64xi32>
      %v = arith.addi %p, %q : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %u : tensor<64xi32>
  }
  %fs = tensor.extract_slice %f[0] [1] [1] : tensor<64xi32> to tensor<1xi32>
  bufferization.materialize_in_destination %fs in restrict writable %out : (tensor<1xi32>, memref<1xi32>) -> ()

  return
}
