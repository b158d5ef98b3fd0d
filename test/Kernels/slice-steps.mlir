// RUN: %python %S/run.py %s
// Slices of one element have steps, too, and lose their dimension or keep it: each thread
// reads another part through two slices, the second of which loses one of two dimensions.
// EXPECT workgroup_bytes=0 private_bytes<=16 barriers=0
// SEQUENTIAL no: upstream crashes where a slice of one element has a step
// RESULT a1 = a0[5, 1, 1:6:2, :, 0].reshape(1, 3, 4) + 1
func.func @slice_steps(%x: memref<7x2x7x4x2xf32>, %out: memref<1x3x4xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<7x2x7x4x2xf32> to tensor<7x2x7x4x2xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<1x3x4xf32>
  %s = tensor.extract_slice %t[5, 1, 1, 0, 0] [1, 1, 3, 4, 1] [2, 1, 2, 1, 3] : tensor<7x2x7x4x2xf32> to tensor<1x3x4x1xf32>
  %r = scf.forall (%i) in (3) shared_outs(%o = %e) -> (tensor<1x3x4xf32>) {
    %own = tensor.extract_slice %s[0, %i, 0, 0] [1, 1, 4, 1] [2, 3, 1, 2] : tensor<1x3x4x1xf32> to tensor<1x4x1xf32>
    %to = tensor.extract_slice %o[0, %i, 0] [1, 1, 4] [1, 1, 1] : tensor<1x3x4xf32> to tensor<1x4xf32>
    %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%own : tensor<1x4x1xf32>) outs(%to : tensor<1x4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %one : f32
      linalg.yield %c : f32
    } -> tensor<1x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %o[0, %i, 0] [1, 1, 4] [1, 1, 1] : tensor<1x4xf32> into tensor<1x3x4xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<1x3x4xf32>, memref<1x3x4xf32>) -> ()
  return
}
