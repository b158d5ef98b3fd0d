// RUN: %python %S/run.py %s
// Each of two subgroups reads its own tile backwards, in an op that counts
// downwards: no slice of a tile begins before it, and a barrier of the subgroup
// is enough.
// EXPECT gfx942: workgroup_bytes=128 barriers=0 subgroup_barriers=1
// EXPECT sm_90: workgroup_bytes=256 barriers=0 subgroup_barriers=1
// RESULT a1 = a0[:, ::-1]
func.func @subgroup_mirror(%im: memref<2x16xf32>, %om: memref<2x16xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %in = bufferization.to_tensor %im restrict : memref<2x16xf32> to tensor<2x16xf32>
  %out = bufferization.to_tensor %om restrict writable : memref<2x16xf32> to tensor<2x16xf32>
  %r = scf.forall (%b) in (1) shared_outs(%o0 = %out) -> tensor<2x16xf32> {
    %x = scf.forall (%w) in (2) shared_outs(%o = %o0) -> (tensor<2x16xf32>) {
      %e = tensor.empty() : tensor<16xf32>
      %is = tensor.extract_slice %in[%w, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
      %c = scf.forall (%l) in (16) shared_outs(%s = %e) -> (tensor<16xf32>) {
        %p = affine.apply affine_map<(d0) -> (d0 * 1)>(%l)
        %q = affine.apply affine_map<(d0) -> (d0 * 1)>(%l)
        %v = tensor.extract_slice %is[%p] [1] [1] : tensor<16xf32> to tensor<1xf32>
        scf.forall.in_parallel { tensor.parallel_insert_slice %v into %s[%q] [1] [1] : tensor<1xf32> into tensor<16xf32> }
      } {mapping = [#gpu.lane<linear_dim_0>]}
      %os = tensor.extract_slice %o[%w, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
      %d = linalg.generic {indexing_maps=[affine_map<(d0)->(15-d0)>,affine_map<(d0)->(d0)>],iterator_types=["parallel"]} ins(%c:tensor<16xf32>) outs(%os:tensor<16xf32>) {
 ^bb0(%a:f32,%b1:f32): linalg.yield %a:f32 } -> tensor<16xf32>
      scf.forall.in_parallel { tensor.parallel_insert_slice %d into %o[%w, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<2x16xf32> }
    } {mapping = [#gpu.warp<linear_dim_0>]}
    scf.forall.in_parallel { tensor.parallel_insert_slice %x into %o0[0, 0] [2, 16] [1, 1] : tensor<2x16xf32> into tensor<2x16xf32> }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %om : (tensor<2x16xf32>, memref<2x16xf32>) -> ()
  return
}
