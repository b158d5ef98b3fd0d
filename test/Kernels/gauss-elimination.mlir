// RUN: %python %S/run.py %s
// Gaussian elimination in a tile: pivot row and column are read from before each step.
// EXPECT workgroup_bytes<=512 barriers<=4
// TOLERANCE 1e-3
// INPUT a0 = np.random.default_rng(2).uniform(0, 1, (8, 8)) + 8 * np.eye(8)
// RESULT a1 = (lambda a: [a.__setitem__(slice(k + 1, None), a[k+1:] - np.outer(a[k+1:, k] / a[k, k], a[k])) for k in range(7)] and a)(a0.astype(np.float64))
func.func @gauss_elimination(%x: memref<8x8xf32>, %out: memref<8x8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8x8xf32> to tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %te = tensor.empty() : tensor<8x8xf32>
  %t = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %te) -> (tensor<8x8xf32>) {
    %v = tensor.extract %xt[%i, %j] : tensor<8x8xf32>
    %se_ = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %f = scf.for %k = %c0 to %c7 step %c1 iter_args(%a = %t) -> (tensor<8x8xf32>) {
    %n = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %a) -> (tensor<8x8xf32>) {
      %own = tensor.extract %o[%i, %j] : tensor<8x8xf32>
      %pk = tensor.extract %a[%k, %k] : tensor<8x8xf32>
      %rj = tensor.extract %a[%k, %j] : tensor<8x8xf32>
      %ci = tensor.extract %a[%i, %k] : tensor<8x8xf32>
      %f0 = arith.divf %ci, %pk : f32
      %f1 = arith.mulf %f0, %rj : f32
      %nw = arith.subf %own, %f1 : f32
      %gt = arith.cmpi ugt, %i, %k : index
      %v = arith.select %gt, %nw, %own : f32
      %se_ = tensor.from_elements %v : tensor<1x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    scf.yield %n : tensor<8x8xf32>
  }
  bufferization.materialize_in_destination %f in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()

  return
}
