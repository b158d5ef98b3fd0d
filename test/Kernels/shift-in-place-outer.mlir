// RUN: %python %S/run.py %s
// The output is rotated in place: the value from before the forall is read.
// EXPECT workgroup_bytes<=256 barriers<=1
// RESULT a0 = np.roll(a0, -1)
func.func @shift_in_place_outer(%out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %ot = bufferization.to_tensor %out restrict writable : memref<64xi32> to tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xi32>) {
    %i1 = arith.addi %i, %c1 : index
    %j = arith.remui %i1, %c64 : index
    %v = tensor.extract %ot[%j] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
