// RUN: %python %S/run.py %s
// Each workgroup scans a row of its own, of what its threads have computed.
// GRID 4
// EXPECT gfx942: workgroup_bytes<=3064 executed<=2
// EXPECT sm_90: workgroup_bytes<=3064 executed<=2
// RESULT a1 = np.cumsum(a0 * a0, axis=1)
func.func @scan_of_blocks(%in: memref<4x500xi32>, %out: memref<4x500xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<4x500xi32> to tensor<4x500xi32>
  %e = tensor.empty() : tensor<4x500xi32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<4x500xi32>) {
    %row = tensor.extract_slice %t[%i, 0] [1, 500] [1, 1] : tensor<4x500xi32> to tensor<500xi32>
    %own = tensor.extract_slice %o[%i, 0] [1, 500] [1, 1] : tensor<4x500xi32> to tensor<500xi32>
    %me = tensor.empty() : tensor<500xi32>
    %square = linalg.mul ins(%row, %row : tensor<500xi32>, tensor<500xi32>) outs(%me : tensor<500xi32>) -> tensor<500xi32>
    %s = memspace.scan dimension(0) ins(%square : tensor<500xi32>) outs(%own : tensor<500xi32>) {
    ^bb0(%a: i32, %b: i32):
      %sum = arith.addi %a, %b : i32
      memspace.yield %sum : i32
    } -> tensor<500xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 500] [1, 1] : tensor<500xi32> into tensor<4x500xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x500xi32>, memref<4x500xi32>) -> ()
  return
}
