// RUN: %python %S/run.py %s
// Ops at grid scope, before and behind a block forall, that count down, or by
// "mod": each block computes its slice.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = 2 * (a0[11 - np.arange(12)] + a0[np.arange(12) % 5]) - a0[np.arange(12) // 3]
func.func @grid_scope_mirror(%x: memref<12xf32>, %out: memref<12xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<12xf32> to tensor<12xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<12xf32> to tensor<12xf32>
  %e = tensor.empty() : tensor<12xf32>
  %v = linalg.generic {
      indexing_maps = [affine_map<(i) -> (11 - i)>, affine_map<(i) -> (i mod 5)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%xt, %xt : tensor<12xf32>, tensor<12xf32>) outs(%e : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32, %init: f32):
    %ab = arith.addf %a, %b : f32
    linalg.yield %ab : f32
  } -> tensor<12xf32>
  %f = scf.forall (%b) in (4) shared_outs(%o = %e) -> (tensor<12xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 3)>(%b)
    %s = tensor.extract_slice %v[%at] [3] [1] : tensor<12xf32> to tensor<3xf32>
    %d = tensor.extract_slice %o[%at] [3] [1] : tensor<12xf32> to tensor<3xf32>
    %r = linalg.add ins(%s, %s : tensor<3xf32>, tensor<3xf32>) outs(%d : tensor<3xf32>) -> tensor<3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%at] [3] [1] : tensor<3xf32> into tensor<12xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %w = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i floordiv 3)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%f, %xt : tensor<12xf32>, tensor<12xf32>) outs(%ot : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32, %init: f32):
    %ab = arith.subf %a, %b : f32
    linalg.yield %ab : f32
  } -> tensor<12xf32>
  bufferization.materialize_in_destination %w in restrict writable %out : (tensor<12xf32>, memref<12xf32>) -> ()
  return
}
