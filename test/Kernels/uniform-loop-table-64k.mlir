// RUN: %python %S/run.py %s
// A uniform table of 65536 bytes built by a loop of inserts (triangular numbers).
// EXPECT workgroup_bytes<=65536 barriers<=1
// INPUT a0 = np.random.default_rng(3).integers(0, 16384, 64)
// RESULT a1 = (1 + np.cumsum(np.arange(16384)))[a0]
func.func @uniform_loop_table_64k(%idx: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %idxt = bufferization.to_tensor %idx restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %oi = arith.constant 1 : i32
  %te = tensor.empty() : tensor<16384xi32>
  %cn = arith.constant 16384 : index
  %t0 = tensor.insert %oi into %te[%c0] : tensor<16384xi32>
  %t = scf.for %k = %c1 to %cn step %c1 iter_args(%a = %t0) -> (tensor<16384xi32>) {
    %km = arith.subi %k, %c1 : index
    %p = tensor.extract %a[%km] : tensor<16384xi32>
    %ki = arith.index_cast %k : index to i32
    %q = arith.addi %p, %ki : i32
    %b = tensor.insert %q into %a[%k] : tensor<16384xi32>
    scf.yield %b : tensor<16384xi32>
  }
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %j32 = tensor.extract %idxt[%i] : tensor<64xi32>
    %j = arith.index_cast %j32 : i32 to index
    %v = tensor.extract %t[%j] : tensor<16384xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
