// RUN: %python %S/run.py %s
// A generic that reads its inputs backwards, repeated and shifted around is
// distributed by slices of 3 elements: in each the payload finds its own.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = 2 * (a0[15 - np.arange(12)] + a0[np.arange(12) // 2] + a0[(np.arange(12) + 14) % 16])
func.func @tiled_by_mod(%x: memref<16xf32>, %out: memref<12xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<16xf32> to tensor<16xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<12xf32> to tensor<12xf32>
  %v = linalg.generic {
      indexing_maps = [affine_map<(i) -> (15 - i)>, affine_map<(i) -> (i floordiv 2)>,
                       affine_map<(i) -> ((i + 14) mod 16)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%xt, %xt, %xt : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) outs(%ot : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %init: f32):
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    linalg.yield %abc : f32
  } -> tensor<12xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %v) -> (tensor<12xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 3)>(%i)
    %s = tensor.extract_slice %o[%at] [3] [1] : tensor<12xf32> to tensor<3xf32>
    %d = linalg.add ins(%s, %s : tensor<3xf32>, tensor<3xf32>) outs(%s : tensor<3xf32>) -> tensor<3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%at] [3] [1] : tensor<3xf32> into tensor<12xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<12xf32>, memref<12xf32>) -> ()
  return
}
