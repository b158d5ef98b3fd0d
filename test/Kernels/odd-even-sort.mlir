// RUN: %python %S/run.py %s
// Odd-even transposition sort of a tile, a dynamic number of threads in each step.
// EXPECT workgroup_bytes=256 barriers<=2
// RESULT a1 = np.sort(a0)
func.func @odd_even_sort(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f = scf.for %k = %c0 to %c64 step %c1 iter_args(%a = %t) -> (tensor<64xi32>) {
    %par = arith.remui %k, %c2 : index
    %cnt = arith.subi %c32, %par : index
    %n = scf.forall (%i) in (%cnt) shared_outs(%o = %a) -> (tensor<64xi32>) {
      %p0 = arith.muli %i, %c2 : index
      %p = arith.addi %p0, %par : index
      %q = arith.addi %p, %c1 : index
      %d = tensor.extract_slice %o[%p] [2] [1] : tensor<64xi32> to tensor<2xi32>
      %u = tensor.extract %d[%c0] : tensor<2xi32>
      %w = tensor.extract %d[%c1] : tensor<2xi32>
      %lo = arith.minsi %u, %w : i32
      %hi = arith.maxsi %u, %w : i32
      %d1 = tensor.insert %lo into %d[%c0] : tensor<2xi32>
      %d2 = tensor.insert %hi into %d1[%c1] : tensor<2xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %d2 into %o[%p] [2] [1] : tensor<2xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %n : tensor<64xi32>
  }
  bufferization.materialize_in_destination %f in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
