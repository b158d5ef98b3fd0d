// RUN: %python %S/run.py %s
// A 1-D tile whose extent is a product of two bounded extents.
// EXPECT workgroup_bytes=512 barriers=1 or refused "extent|bound"
// INPUT a0 = np.random.default_rng(1).integers(0, 9, (12, 9))
// INPUT a1 = np.arange(76)
// RESULT a1 = np.concatenate([a0[:8, :16].ravel()[::-1], a1[-4:]])
func.func @dynamic_product_extent(%x: memref<?x?xi32>, %out: memref<?xi32>)
    attributes {gpu.known_block_size = array<i32: 16, 8, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<?x?xi32> to tensor<?x?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : index
  %m = tensor.dim %xt, %c0 : tensor<?x?xi32>
  %n = tensor.dim %xt, %c1 : tensor<?x?xi32>
  %tm = arith.minsi %m, %c8 : index
  %tn = arith.minui %n, %c16 : index
  %sz = arith.muli %tm, %tn : index
  %te = tensor.empty(%sz) : tensor<?xi32>
  %t = scf.forall (%i, %j) in (%tm, %tn) shared_outs(%o = %te) -> (tensor<?xi32>) {
    %v = tensor.extract %xt[%i, %j] : tensor<?x?xi32>
    %l0 = arith.muli %i, %tn : index
    %l = arith.addi %l0, %j : index
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%l] [1] [1] : tensor<1xi32> into tensor<?xi32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %ot = bufferization.to_tensor %out restrict writable : memref<?xi32> to tensor<?xi32>
  %dst = tensor.extract_slice %ot[0] [%sz] [1] : tensor<?xi32> to tensor<?xi32>
  %last = arith.subi %sz, %c1 : index
  %r = scf.forall (%i) in (%sz) shared_outs(%o = %dst) -> (tensor<?xi32>) {
    %j = arith.subi %last, %i : index
    %v = tensor.extract %t[%j] : tensor<?xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<?xi32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  %w = tensor.insert_slice %r into %ot[0] [%sz] [1] : tensor<?xi32> into tensor<?xi32>
  bufferization.materialize_in_destination %w in restrict writable %out : (tensor<?xi32>, memref<?xi32>) -> ()

  return
}
