// RUN: %python %S/run.py %s
// An extent that is at least 0 and at most 3, as num_threads that do not divide make
// it: upstream knows only that affine.max is at least its numbers.
// EXPECT workgroup_bytes=0 barriers=0 private_bytes=0
// RESULT a0 = np.ones(16)
func.func @kernel(%out: memref<16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %r = scf.forall (%t) in (7) shared_outs(%o = %e) -> (tensor<16xf32>) {
    %m = affine.min affine_map<(d0) -> (d0 * -3 + 16, 3)>(%t)
    %n = affine.max affine_map<(d0) -> (0, d0)>(%m)
    %f = affine.apply affine_map<(d0) -> (d0 * 3)>(%t)
    %s = tensor.extract_slice %o[%f] [%n] [1] : tensor<16xf32> to tensor<?xf32>
    %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> (tensor<?xf32>) {
      %z = tensor.insert %cst into %a[%i] : tensor<?xf32>
      scf.yield %z : tensor<?xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %l into %o[%f] [%n] [1] : tensor<?xf32> into tensor<16xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}
