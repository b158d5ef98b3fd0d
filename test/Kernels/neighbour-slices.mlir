// RUN: %python %S/run.py %s
// Own slices: an iteration reads its neighbour's slice of the shared output and
// sees the value from before the forall, which needs a copy taken before.
// Bufferized in place by stock MLIR, the last iteration sees the new value.
// EXPECT workgroup_bytes<=560 barriers<=2
// SEQUENTIAL no: stock MLIR updates in place
// RESULT a1 = (a0 * 3) - np.roll(a0 * 3, -1)
func.func @neighbour_slices(%x: memref<70xi32>, %out: memref<70xi32>)
    attributes {gpu.known_block_size = array<i32: 70, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<70xi32> to tensor<70xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c70 = arith.constant 70 : index
  %three = arith.constant 3 : i32
  %te = tensor.empty() : tensor<70xi32>
  %t = scf.forall (%i) in (70) shared_outs(%o = %te) -> (tensor<70xi32>) {
    %v = tensor.extract %xt[%i] : tensor<70xi32>
    %w = arith.muli %v, %three : i32
    %s = tensor.from_elements %w : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<70xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %r = scf.forall (%i) in (70) shared_outs(%o = %t) -> (tensor<70xi32>) {
    %i1 = arith.addi %i, %c1 : index
    %j = arith.remui %i1, %c70 : index
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<70xi32> to tensor<1xi32>
    %own = tensor.extract %d[%c0] : tensor<1xi32>
    %next = tensor.extract %o[%j] : tensor<70xi32>
    %v = arith.subi %own, %next : i32
    %s = tensor.insert %v into %d[%c0] : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<70xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<70xi32>, memref<70xi32>) -> ()
  return
}
