// RUN: %python %S/run.py %s
// A row too long for registers, in the subgroup's part of the buffer. What threads touch
// behind the offset of their subgroup is calculated in each step of the network: no
// step needs a barrier of the workgroup, which on sm_90 could not stand where only two
// of four subgroups sort.
// EXPECT gfx942: workgroup_bytes=16384 barriers=0 subgroup_barriers<=4
// EXPECT sm_90: workgroup_bytes=32768 barriers=0 subgroup_barriers<=4
// OPTIONS may-hazards=error
// RESULT a1 = np.sort(a0, axis=1)
func.func @sort_long_in_subgroups(%in: memref<2x2000xf32>, %out: memref<2x2000xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<2x2000xf32> to tensor<2x2000xf32>
  %e = tensor.empty() : tensor<2x2000xf32>
  %r = scf.forall (%w) in (2) shared_outs(%o = %e) -> (tensor<2x2000xf32>) {
    %row = tensor.extract_slice %t[%w, 0] [1, 2000] [1, 1] : tensor<2x2000xf32> to tensor<2000xf32>
    %own = tensor.empty() : tensor<2000xf32>
    %s = memspace.sort dimension(0) ins(%row : tensor<2000xf32>) outs(%own : tensor<2000xf32>) {
    ^bb0(%a: f32, %b: f32):
      %before = arith.cmpf olt, %a, %b : f32
      memspace.yield %before : i1
    } -> tensor<2000xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%w, 0] [1, 2000] [1, 1] : tensor<2000xf32> into tensor<2x2000xf32>
    }
  } {mapping = [#gpu.warp<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<2x2000xf32>, memref<2x2000xf32>) -> ()
  return
}
