// RUN: %python %S/run.py %s
// A generic whose map is tiled exactly reads elements of another one, which asks
// for an index: in the payload that is none of the outer one's indices.
// EXPECT workgroup_bytes=0 barriers=0
// GRID 4
// RESULT a0 = np.indices((4, 2)).sum(axis=0) % 2
func.func @index_in_payload(%o: memref<4x2xi32>) attributes {gpu.known_block_size = array<i32: 2, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %ot = bufferization.to_tensor %o restrict writable : memref<4x2xi32> to tensor<4x2xi32>
  %e = tensor.empty() : tensor<4x2xi32>
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x2xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 1 : index
    %v = arith.index_cast %i : index to i32
    linalg.yield %v : i32
  } -> tensor<4x2xi32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, (d0 + d1) mod 2)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x2xi32>) outs(%ot : tensor<4x2xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<4x2xi32>
  %r = scf.forall (%i) in (4) shared_outs(%p = %b) -> (tensor<4x2xi32>) {
    %s = tensor.extract_slice %p[%i, 0] [1, 2] [1, 1] : tensor<4x2xi32> to tensor<2xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %p[%i, 0] [1, 2] [1, 1] : tensor<2xi32> into tensor<4x2xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<4x2xi32>, memref<4x2xi32>) -> ()
  return
}
