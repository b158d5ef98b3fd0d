// RUN: %python %S/run.py %s
// As upstream's tiling makes it: each workgroup has 16 columns of the output, and takes
// the updates ten at a time.
// EXPECT gfx942: workgroup_bytes=0
// EXPECT sm_90: workgroup_bytes=0
// INPUT a1 = np.random.default_rng(3).integers(0, 20, (50, 1))
// RESULT a2 = (lambda o: (np.add.at(o, a1[:, 0], a0), o)[1])(a2.copy())
#at = affine_map<(b) -> (b * 16)>
func.func @scatter_column_blocks(%um: memref<50x64xi32>, %im: memref<50x1xi32>, %om: memref<20x64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c50 = arith.constant 50 : index
  %u = bufferization.to_tensor %um restrict : memref<50x64xi32> to tensor<50x64xi32>
  %i = bufferization.to_tensor %im restrict : memref<50x1xi32> to tensor<50x1xi32>
  %out = bufferization.to_tensor %om restrict writable : memref<20x64xi32> to tensor<20x64xi32>
  %r = scf.forall (%b) in (4) shared_outs(%o = %out) -> (tensor<20x64xi32>) {
    %c = affine.apply #at(%b)
    %tile = tensor.extract_slice %o[0, %c] [20, 16] [1, 1] : tensor<20x64xi32> to tensor<20x16xi32>
    %sums = scf.for %k = %c0 to %c50 step %c10 iter_args(%s = %tile) -> (tensor<20x16xi32>) {
      %rows = tensor.extract_slice %u[%k, %c] [10, 16] [1, 1] : tensor<50x64xi32> to tensor<10x16xi32>
      %places = tensor.extract_slice %i[%k, 0] [10, 1] [1, 1] : tensor<50x1xi32> to tensor<10x1xi32>
      %n = memspace.scatter scatter_dims([0]) ins(%rows, %places : tensor<10x16xi32>, tensor<10x1xi32>) outs(%s : tensor<20x16xi32>) {
      ^bb0(%a: i32, %old: i32):
        %t = arith.addi %a, %old : i32
        memspace.yield %t : i32
      } -> tensor<20x16xi32>
      scf.yield %n : tensor<20x16xi32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sums into %o[0, %c] [20, 16] [1, 1] : tensor<20x16xi32> into tensor<20x64xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %om : (tensor<20x64xi32>, memref<20x64xi32>) -> ()
  return
}
