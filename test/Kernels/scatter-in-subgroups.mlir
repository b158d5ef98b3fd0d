// RUN: %python %S/run.py %s
// The lanes of each subgroup count what is in a row of their own.
// EXPECT gfx942: workgroup_bytes=128 private_bytes=4
// EXPECT sm_90: workgroup_bytes=256 private_bytes=4
// INPUT a0 = np.random.default_rng(15).integers(0, 16, (4, 200, 1))
// RESULT a1 = np.stack([np.bincount(a0[r, :, 0], minlength=16)[::-1] for r in range(4)])
// BLOCKS refused: the promise of a loop is lost with the loop
func.func @scatter_in_subgroups(%in: memref<4x200x1xi32>, %out: memref<4x16xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<4x200x1xi32> to tensor<4x200x1xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %ones = tensor.splat %one : tensor<200xi32>
  %r = scf.forall (%n) in (4) shared_outs(%o = %e) -> (tensor<4x16xi32>) {
    %at = tensor.extract_slice %t[%n, 0, 0] [1, 200, 1] [1, 1, 1] : tensor<4x200x1xi32> to tensor<200x1xi32>
    %own = tensor.empty() : tensor<16xi32>
    %f = linalg.fill ins(%zero : i32) outs(%own : tensor<16xi32>) -> tensor<16xi32>
    %s = memspace.scatter scatter_dims([0]) ins(%ones, %at : tensor<200xi32>, tensor<200x1xi32>) outs(%f : tensor<16xi32>) {
    ^bb0(%x: i32, %old: i32):
      %y = arith.addi %x, %old : i32
      memspace.yield %y : i32
    } -> tensor<16xi32>
    %back = tensor.empty() : tensor<16xi32>
    %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (15 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%s : tensor<16xi32>) outs(%back : tensor<16xi32>) {
    ^bb0(%x: i32, %c: i32):
      linalg.yield %x : i32
    } -> tensor<16xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%n, 0] [1, 16] [1, 1] : tensor<16xi32> into tensor<4x16xi32>
    }
  } {mapping = [#gpu.warp<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x16xi32>, memref<4x16xi32>) -> ()
  return
}
