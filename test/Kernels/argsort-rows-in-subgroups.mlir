// RUN: %python %S/run.py %s
// On sm_90 three of four subgroups sort two rows at a time, one by each half of the
// lanes: an iteration does not write the rows of another one.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0 subgroup_barriers=0
// RESULT a1 = np.argsort(a0, axis=2, kind="stable")
func.func @argsort_rows_in_subgroups(%in: memref<3x4x33xf64>, %out: memref<3x4x33xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<3x4x33xf64> to tensor<3x4x33xf64>
  %e = tensor.empty() : tensor<3x4x33xi32>
  %r = scf.forall (%w) in (3) shared_outs(%o = %e) -> (tensor<3x4x33xi32>) {
    %row = tensor.extract_slice %t[%w, 0, 0] [1, 4, 33] [1, 1, 1] : tensor<3x4x33xf64> to tensor<4x33xf64>
    %own = tensor.empty() : tensor<4x33xi32>
    %s = memspace.sort_indices dimension(1) stable ins(%row : tensor<4x33xf64>) outs(%own : tensor<4x33xi32>) {
    ^bb0(%a: f64, %b: f64):
      %before = arith.cmpf olt, %a, %b : f64
      memspace.yield %before : i1
    } -> tensor<4x33xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%w, 0, 0] [1, 4, 33] [1, 1, 1] : tensor<4x33xi32> into tensor<3x4x33xi32>
    }
  } {mapping = [#gpu.warp<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<3x4x33xi32>, memref<3x4x33xi32>) -> ()
  return
}
