// RUN: %python %S/run.py %s
// The whole output is filled at grid scope, then each block adds to its slice:
// the fill is sunk into the blocks, or it would overwrite finished slices.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0 + 4
func.func @grid_fill(%x: memref<4x28xf32>, %out: memref<4x28xf32>)
    attributes {gpu.known_block_size = array<i32: 28, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x28xf32> to tensor<4x28xf32>
  %four = arith.constant 4.0 : f32
  %oe = tensor.empty() : tensor<4x28xf32>
  %of = linalg.fill ins(%four : f32) outs(%oe : tensor<4x28xf32>) -> tensor<4x28xf32>
  %r = scf.forall (%b) in (4) shared_outs(%ob = %of) -> (tensor<4x28xf32>) {
    %dst = tensor.extract_slice %ob[%b, 0] [1, 28] [1, 1] : tensor<4x28xf32> to tensor<28xf32>
    %u = scf.forall (%i) in (28) shared_outs(%o = %dst) -> (tensor<28xf32>) {
      %s = tensor.extract_slice %xt[%b, %i] [1, 1] [1, 1] : tensor<4x28xf32> to tensor<1xf32>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<28xf32> to tensor<1xf32>
      %v = linalg.add ins(%s, %d : tensor<1xf32>, tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xf32> into tensor<28xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%b, 0] [1, 28] [1, 1] : tensor<28xf32> into tensor<4x28xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x28xf32>, memref<4x28xf32>) -> ()
  return
}
