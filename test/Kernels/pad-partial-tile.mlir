// RUN: %python %S/run.py %s
// The last tile is padded with zeros to 16; neighbours are added.
// EXPECT workgroup_bytes<=64 barriers<=2
// DIM 42
// GRID 3
// RESULT a1 = np.concatenate([(lambda q: (q + np.roll(q, -1))[:len(p)])(np.pad(p, (0, 16 - len(p)))) for p in np.split(a0, [16, 32])])
#ceil = affine_map<()[s0] -> (s0 ceildiv 16)>
#tmin = affine_map<(d0)[s0] -> (16, s0 - d0 * 16)>
#m16 = affine_map<(d0) -> (d0 * 16)>
func.func @pad_partial_tile(%x: memref<?xf32>, %out: memref<?xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zf = arith.constant 0.0 : f32
  %ot = bufferization.to_tensor %out restrict writable : memref<?xf32> to tensor<?xf32>
  %c16 = arith.constant 16 : index
  %n = tensor.dim %xt, %c0 : tensor<?xf32>
  %nb = affine.apply #ceil()[%n]
  %r = scf.forall (%b) in (%nb) shared_outs(%ob = %ot) -> (tensor<?xf32>) {
    %ts = affine.min #tmin(%b)[%n]
    %bi = affine.apply #m16(%b)
    %hi = arith.subi %c16, %ts : index
    %xs = tensor.extract_slice %xt[%bi] [%ts] [1] : tensor<?xf32> to tensor<?xf32>
    %pad = tensor.pad %xs low[0] high[%hi] {
      ^bb0(%p: index):
      tensor.yield %zf : f32
    } : tensor<?xf32> to tensor<16xf32>
    %dst = tensor.extract_slice %ob[%bi] [%ts] [1] : tensor<?xf32> to tensor<?xf32>
    %u = scf.forall (%i) in (%ts) shared_outs(%o = %dst) -> (tensor<?xf32>) {
      %i1 = arith.addi %i, %c1 : index
      %j = arith.remui %i1, %c16 : index
      %a = tensor.extract %pad[%i] : tensor<16xf32>
      %b2 = tensor.extract %pad[%j] : tensor<16xf32>
      %v = arith.addf %a, %b2 : f32
      %se_ = tensor.from_elements %v : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<x>]}

    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%bi] [%ts] [1] : tensor<?xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()

  return
}
