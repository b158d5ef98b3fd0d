// RUN: %python %S/run.py %s
// Case B6: min(48, rest) elements are 48 at most: 192 bytes. All threads reach
// the barrier though only some of them have an element.
// EXPECT workgroup_bytes=192 barriers<=1
// DIM 130
// GRID 3
// RESULT a1 = np.concatenate([p[::-1] for p in np.split(a0 * 2, [48, 96])])
#nb = affine_map<()[s0] -> (s0 ceildiv 48)>
#m48 = affine_map<(d0) -> (d0 * 48)>
func.func @bounded_dynamic(%x: memref<?xf32>, %out: memref<?xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<?xf32> to tensor<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %n = tensor.dim %xt, %c0 : tensor<?xf32>
  %nb = affine.apply #nb()[%n]
  %r = scf.forall (%b) in (%nb) shared_outs(%ob = %ot) -> (tensor<?xf32>) {
    %base = affine.apply #m48(%b)
    %rest = arith.subi %n, %base : index
    %ts = arith.minsi %rest, %c48 : index
    %te = tensor.empty(%ts) : tensor<?xf32>
    %t = scf.forall (%i) in (%ts) shared_outs(%o = %te) -> (tensor<?xf32>) {
      %p = arith.addi %base, %i : index
      %v = tensor.extract %xt[%p] : tensor<?xf32>
      %w = arith.addf %v, %v : f32
      %s = tensor.from_elements %w : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    %dst = tensor.extract_slice %ob[%base] [%ts] [1] : tensor<?xf32> to tensor<?xf32>
    %last = arith.subi %ts, %c1 : index
    %u = scf.forall (%i) in (%ts) shared_outs(%o = %dst) -> (tensor<?xf32>) {
      %j = arith.subi %last, %i : index
      %v = tensor.extract %t[%j] : tensor<?xf32>
      %s = tensor.from_elements %v : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%base] [%ts] [1] : tensor<?xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
