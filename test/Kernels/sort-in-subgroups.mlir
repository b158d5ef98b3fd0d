// RUN: %python %S/run.py %s
// Each subgroup sorts a row of its own in registers; on sm_90 only two of four do.
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// OPTIONS may-hazards=error
// RESULT a1 = np.sort(a0, axis=1)
func.func @sort_in_subgroups(%in: memref<2x100xf32>, %out: memref<2x100xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<2x100xf32> to tensor<2x100xf32>
  %e = tensor.empty() : tensor<2x100xf32>
  %r = scf.forall (%w) in (2) shared_outs(%o = %e) -> (tensor<2x100xf32>) {
    %row = tensor.extract_slice %t[%w, 0] [1, 100] [1, 1] : tensor<2x100xf32> to tensor<100xf32>
    %own = tensor.empty() : tensor<100xf32>
    %s = memspace.sort dimension(0) ins(%row : tensor<100xf32>) outs(%own : tensor<100xf32>) {
    ^bb0(%a: f32, %b: f32):
      %before = arith.cmpf olt, %a, %b : f32
      memspace.yield %before : i1
    } -> tensor<100xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%w, 0] [1, 100] [1, 1] : tensor<100xf32> into tensor<2x100xf32>
    }
  } {mapping = [#gpu.warp<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<2x100xf32>, memref<2x100xf32>) -> ()
  return
}
