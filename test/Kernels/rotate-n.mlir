// RUN: %python %S/run.py %s
// A tile is rotated n times, n is data; the loop may not run.
// EXPECT workgroup_bytes<=512 barriers<=3
// RESULT a2 = np.roll(a0, -a1[0])
func.func @rotate_n(%x: memref<64xi32>, %fl: memref<1xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %flt = bufferization.to_tensor %fl restrict : memref<1xi32> to tensor<1xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
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
  %n32 = tensor.extract %flt[%c0] : tensor<1xi32>
  %n = arith.index_cast %n32 : i32 to index
  %f = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<64xi32>) {
    %ne = tensor.empty() : tensor<64xi32>
    %u = scf.forall (%i) in (64) shared_outs(%o = %ne) -> (tensor<64xi32>) {
      %i1 = arith.addi %i, %c1 : index
      %j = arith.remui %i1, %c64 : index
      %v = tensor.extract %a[%j] : tensor<64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %u : tensor<64xi32>
  }
  bufferization.materialize_in_destination %f in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
