// RUN: %python %S/run.py %s
// A staged tile that is partial at the edge is as large as its bound: to copy it
// in parts is cheaper than each thread's own copy of all of it.
// EXPECT workgroup_bytes=1024 private_bytes=0 executed=1
// DIM 300
// GRID (2, 1, 1)
// RESULT a1 = np.concatenate([a0[b * 256:(b + 1) * 256][::-1] for b in range(2)])
func.func @partial_tile_shared(%x: memref<?xi32>, %out: memref<?xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %xt = bufferization.to_tensor %x restrict : memref<?xi32> to tensor<?xi32>
  %n = tensor.dim %xt, %c0 : tensor<?xi32>
  %blocks = affine.apply affine_map<(d0) -> (d0 ceildiv 256)>(%n)
  %all = tensor.empty(%n) : tensor<?xi32>
  %r = scf.forall (%b) in (%blocks) shared_outs(%o = %all) -> (tensor<?xi32>) {
    %first = affine.apply affine_map<(d0) -> (d0 * 256)>(%b)
    %size = affine.min affine_map<(d0)[s0] -> (256, s0 - d0 * 256)>(%b)[%n]
    %part = tensor.extract_slice %xt[%first] [%size] [1] : tensor<?xi32> to tensor<?xi32>
    %e = tensor.empty(%size) : tensor<?xi32>
    %t = linalg.copy ins(%part : tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
    %dest = tensor.extract_slice %o[%first] [%size] [1] : tensor<?xi32> to tensor<?xi32>
    %u = scf.forall (%i) in (%size) shared_outs(%p = %dest) -> (tensor<?xi32>) {
      %j = affine.apply affine_map<(d0)[s0] -> (s0 - 1 - d0)>(%i)[%size]
      %v = tensor.extract_slice %t[%j] [1] [1] : tensor<?xi32> to tensor<1xi32>
      %d = tensor.extract_slice %p[%i] [1] [1] : tensor<?xi32> to tensor<1xi32>
      %f = linalg.copy ins(%v : tensor<1xi32>) outs(%d : tensor<1xi32>) -> tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %p[%i] [1] [1] : tensor<1xi32> into tensor<?xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%first] [%size] [1] : tensor<?xi32> into tensor<?xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?xi32>, memref<?xi32>) -> ()
  return
}
