// RUN: %python %S/run.py %s
// A table of 12 entries that only uniform code writes: replicated in private
// memory, or computed once in workgroup memory behind a barrier.
// EXPECT workgroup_bytes<=48 barriers<=1
// INPUT a0 = np.arange(40) % 12
// RESULT a1 = (a0 * a0 + 3).astype(np.int32)
#id = affine_map<(d0) -> (d0)>
func.func @uniform_table_small(%idx: memref<40xi8>, %out: memref<40xi32>)
    attributes {gpu.known_block_size = array<i32: 40, 1, 1>} {
  %it = bufferization.to_tensor %idx restrict : memref<40xi8> to tensor<40xi8>
  %three = arith.constant 3 : i32
  %le = tensor.empty() : tensor<12xi32>
  %lut = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%le : tensor<12xi32>) {
  ^bb0(%a: i32):
    %k = linalg.index 0 : index
    %ki = arith.index_cast %k : index to i32
    %k2 = arith.muli %ki, %ki : i32
    %v = arith.addi %k2, %three : i32
    linalg.yield %v : i32
  } -> tensor<12xi32>
  %oe = tensor.empty() : tensor<40xi32>
  %r = scf.forall (%i) in (40) shared_outs(%o = %oe) -> (tensor<40xi32>) {
    %j8 = tensor.extract %it[%i] : tensor<40xi8>
    %j = arith.index_cast %j8 : i8 to index
    %v = tensor.extract %lut[%j] : tensor<12xi32>
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<40xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<40xi32>, memref<40xi32>) -> ()
  return
}
