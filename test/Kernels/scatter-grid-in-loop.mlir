// RUN: %python %S/run.py %s
// What overwrites in one iteration around a block forall follows what other workgroups
// overwrite in the one before: nothing in a kernel orders the two.
// EXPECT refused "updates elements that another workgroup may update in an earlier iteration"
// GRID 4
// INPUT a0 = np.stack([(np.arange(512) + 128 * k) % 512 for k in range(3)])[:, :, None]
// RESULT a1 = np.full(512, 2)
func.func @scatter_grid_in_loop(%ix: memref<3x512x1xi32>, %out: memref<512xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %i = bufferization.to_tensor %ix restrict : memref<3x512x1xi32> to tensor<3x512x1xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<512xi32> to tensor<512xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %l = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %o) -> tensor<512xi32> {
    %n = arith.index_cast %k : index to i32
    %r = scf.forall (%b) in (4) shared_outs(%d = %a) -> (tensor<512xi32>) {
      %w = affine.apply affine_map<(d0) -> (d0 * 128)>(%b)
      %e = tensor.empty() : tensor<128xi32>
      %us = linalg.fill ins(%n : i32) outs(%e : tensor<128xi32>) -> tensor<128xi32>
      %is = tensor.extract_slice %i[%k, %w, 0] [1, 128, 1] [1, 1, 1] : tensor<3x512x1xi32> to tensor<128x1xi32>
      %s = memspace.scatter scatter_dims([0]) atomic ins(%us, %is : tensor<128xi32>, tensor<128x1xi32>) outs(%d : tensor<512xi32>) -> tensor<512xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %d[0] [512] [1] : tensor<512xi32> into tensor<512xi32>
      }
    } {mapping = [#gpu.block<x>]}
    scf.yield %r : tensor<512xi32>
  }
  bufferization.materialize_in_destination %l in restrict writable %out : (tensor<512xi32>, memref<512xi32>) -> ()
  return
}
