// RUN: %python %S/run.py %s
// Each subgroup scans a row of its own, and none waits for another.
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0
// RESULT a1 = np.cumsum(a0, axis=1)
func.func @scan_in_subgroups(%in: memref<2x100xi32>, %out: memref<2x100xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<2x100xi32> to tensor<2x100xi32>
  %e = tensor.empty() : tensor<2x100xi32>
  %r = scf.forall (%w) in (2) shared_outs(%o = %e) -> (tensor<2x100xi32>) {
    %row = tensor.extract_slice %t[%w, 0] [1, 100] [1, 1] : tensor<2x100xi32> to tensor<100xi32>
    %own = tensor.empty() : tensor<100xi32>
    %s = memspace.scan dimension(0) ins(%row : tensor<100xi32>) outs(%own : tensor<100xi32>) {
    ^bb0(%a: i32, %b: i32):
      %sum = arith.addi %a, %b : i32
      memspace.yield %sum : i32
    } -> tensor<100xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%w, 0] [1, 100] [1, 1] : tensor<100xi32> into tensor<2x100xi32>
    }
  } {mapping = [#gpu.warp<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<2x100xi32>, memref<2x100xi32>) -> ()
  return
}
