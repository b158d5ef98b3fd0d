// RUN: %python %S/run.py %s
// Case S7: 256 KiB that all threads compute uniformly is not private memory of
// each, and no workgroup holds it.
// EXPECT refused "(262144|256 KiB).*byte|byte.*262144|exceed|does not fit|limit"
// INPUT a0 = np.arange(64) * 31
// RESULT a1 = a0 * 2 + 1
#id = affine_map<(d0) -> (d0)>
func.func @uniform_table(%idx: memref<64xi32>, %out: memref<64xi64>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %it = bufferization.to_tensor %idx restrict : memref<64xi32> to tensor<64xi32>
  %one = arith.constant 1 : i64
  %le = tensor.empty() : tensor<32768xi64>
  %lut = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%le : tensor<32768xi64>) {
  ^bb0(%a: i64):
    %k = linalg.index 0 : index
    %ki = arith.index_cast %k : index to i64
    %k2 = arith.addi %ki, %ki : i64
    %v = arith.addi %k2, %one : i64
    linalg.yield %v : i64
  } -> tensor<32768xi64>
  %oe = tensor.empty() : tensor<64xi64>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi64>) {
    %j32 = tensor.extract %it[%i] : tensor<64xi32>
    %j = arith.index_cast %j32 : i32 to index
    %v = tensor.extract %lut[%j] : tensor<32768xi64>
    %s = tensor.from_elements %v : tensor<1xi64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi64> into tensor<64xi64>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi64>, memref<64xi64>) -> ()
  return
}
