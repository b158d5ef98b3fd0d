// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// Each block sorts a row.
// EXPECT workgroup_bytes<=512
// GRID 6
// SEQUENTIAL no: upstream does not bufferize the dialect
// RESULT a1 = np.sort(a0, axis=1)
func.func @sort_over_blocks(%in: memref<6x60xf32>, %out: memref<6x60xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<6x60xf32> to tensor<6x60xf32>
  %e = tensor.empty() : tensor<6x60xf32>
  %r = scf.forall (%i) in (6) shared_outs(%o = %e) -> (tensor<6x60xf32>) {
    %row = tensor.extract_slice %t[%i, 0] [1, 60] [1, 1] : tensor<6x60xf32> to tensor<1x60xf32>
    %s = ext.sort dimension(1) outs(%row : tensor<1x60xf32>) {
    ^bb0(%a: f32, %b: f32):
      %before = arith.cmpf olt, %a, %b : f32
      ext.yield %before : i1
    } -> tensor<1x60xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 60] [1, 1] : tensor<1x60xf32> into tensor<6x60xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<6x60xf32>, memref<6x60xf32>) -> ()
  return
}
