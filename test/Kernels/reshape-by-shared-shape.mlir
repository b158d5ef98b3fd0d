// RUN: %python %S/run.py %s
// The shape of a reshape is read, from memory that threads share.
// EXPECT barriers=1
// INPUT a1 = np.array([8, 8])
// RESULT a2 = np.full(64, a0[8])
func.func @reshape_by_shared_shape(%x: memref<64xi32>, %n: memref<2xindex>, %out: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %nt = bufferization.to_tensor %n restrict : memref<2xindex> to tensor<2xindex>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<2xindex>
  %s = scf.forall (%i) in (2) shared_outs(%o = %e) -> (tensor<2xindex>) {
    %r = arith.subi %c1, %i : index
    %v = tensor.extract_slice %nt[%r] [1] [1] : tensor<2xindex> to tensor<1xindex>
    scf.forall.in_parallel { tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xindex> into tensor<2xindex> }
  } {mapping = [#gpu.thread<x>]}
  %m = tensor.reshape %xt(%s) : (tensor<64xi32>, tensor<2xindex>) -> tensor<?x?xi32>
  %d = tensor.extract %m[%c1, %c0] : tensor<?x?xi32>
  %f = linalg.fill ins(%d : i32) outs(%ot : tensor<64xi32>) -> tensor<64xi32>
  bufferization.materialize_in_destination %f in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
