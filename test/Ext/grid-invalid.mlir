// RUN: memspace-test-opt %s -memspace-kernel-pipeline=chip=gfx942 -verify-diagnostics

// What ours cannot do the other dialect's cannot either.
func.func @grid(%in: memref<4x60xf32>, %out: memref<4x60xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<4x60xf32> to tensor<4x60xf32>
  // expected-error@+1 {{'memspace.sort' op is executed by a grid, which cannot share it; put it into a 'scf.forall' of blocks, or of warps, over its rows}}
  %s = ext.sort dimension(1) outs(%t : tensor<4x60xf32>) {
  ^bb0(%a: f32, %b: f32):
    %before = arith.cmpf olt, %a, %b : f32
    ext.yield %before : i1
  } -> tensor<4x60xf32>
  %e = tensor.empty() : tensor<4x60xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<4x60xf32>) {
    %row = tensor.extract_slice %s[%i, 0] [1, 60] [1, 1] : tensor<4x60xf32> to tensor<1x60xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %o[%i, 0] [1, 60] [1, 1] : tensor<1x60xf32> into tensor<4x60xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x60xf32>, memref<4x60xf32>) -> ()
  return
}
