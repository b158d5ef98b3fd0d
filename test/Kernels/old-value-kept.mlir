// RUN: %python %S/run.py %s
// Cases S8, S12: the tile is read by others after a forall updated a third of
// it, so the update needs a copy, in the space of the tile and by all threads.
// EXPECT workgroup_bytes=576 barriers<=3
// RESULT a1 = (lambda t: t[::-1] - np.where(np.arange(72) % 3 == 0, t * t, t)[np.roll(np.arange(72), -5)])(a0 + 1)
#m3 = affine_map<(d0) -> (d0 * 3)>
func.func @old_value_kept(%x: memref<72xf32>, %out: memref<72xf32>)
    attributes {gpu.known_block_size = array<i32: 72, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<72xf32> to tensor<72xf32>
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c71 = arith.constant 71 : index
  %c72 = arith.constant 72 : index
  %one = arith.constant 1.0 : f32
  %te = tensor.empty() : tensor<72xf32>
  %t1 = scf.forall (%i) in (72) shared_outs(%o = %te) -> (tensor<72xf32>) {
    %v = tensor.extract %xt[%i] : tensor<72xf32>
    %w = arith.addf %v, %one : f32
    %s = tensor.from_elements %w : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<72xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %t2 = scf.forall (%i) in (24) shared_outs(%o = %t1) -> (tensor<72xf32>) {
    %e = affine.apply #m3(%i)
    %d = tensor.extract_slice %o[%e] [1] [1] : tensor<72xf32> to tensor<1xf32>
    %v = tensor.extract %d[%c0] : tensor<1xf32>
    %w = arith.mulf %v, %v : f32
    %s = tensor.insert %w into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%e] [1] [1] : tensor<1xf32> into tensor<72xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<72xf32>
  %r = scf.forall (%i) in (72) shared_outs(%o = %oe) -> (tensor<72xf32>) {
    %j = arith.subi %c71, %i : index
    %i5 = arith.addi %i, %c5 : index
    %k = arith.remui %i5, %c72 : index
    %old = tensor.extract %t1[%j] : tensor<72xf32>
    %new = tensor.extract %t2[%k] : tensor<72xf32>
    %v = arith.subf %old, %new : f32
    %s = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<72xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<72xf32>, memref<72xf32>) -> ()
  return
}
