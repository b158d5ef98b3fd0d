// An op copies the result of a branch to itself: the tensor that one case makes
// must not be replaced by that result, which contains it.
// EXPECT refused "at grid scope"
// SEQUENTIAL no: upstream's elimination of empty tensors makes a cycle
// DIM 35
// RUN: %python %S/run.py %s
func.func @kernel(%arg0: memref<?xi8>, %arg1: memref<?xi8>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %0 = bufferization.to_tensor %arg0 restrict : memref<?xi8> to tensor<?xi8>
  %c0 = arith.constant 0 : index
  %1 = scf.forall (%arg2) in (%c0) shared_outs(%arg3 = %0) -> (tensor<?xi8>) {
    %false = arith.constant false
    %2 = scf.if %false -> (tensor<?xi8>) {
      scf.yield %0 : tensor<?xi8>
    } else {
      %4 = tensor.empty(%arg2) : tensor<?xi8>
      scf.yield %4 : tensor<?xi8>
    }
    %3 = linalg.copy ins(%2 : tensor<?xi8>) outs(%2 : tensor<?xi8>) -> tensor<?xi8>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3 into %arg3[%arg2] [%arg2] [1] : tensor<?xi8> into tensor<?xi8>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %1 in restrict writable %arg1 : (tensor<?xi8>, memref<?xi8>) -> ()
  return
}
