// RUN: %python %S/run.py %s
// The slice (i + 9 k) mod 45 is read and written textually alike in each
// iteration k, but by another thread than in the iteration before: shared.
// EXPECT workgroup_bytes=180 barriers<=3
// RESULT a1 = (lambda i: a0 + sum(((i - 9 * k) % 45) * (k + 1) for k in range(3)))(np.arange(45)).astype(np.int32)
func.func @loop_shifted_slices(%x: memref<45xi32>, %out: memref<45xi32>)
    attributes {gpu.known_block_size = array<i32: 45, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<45xi32> to tensor<45xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %te = tensor.empty() : tensor<45xi32>
  %t0 = scf.forall (%i) in (45) shared_outs(%o = %te) -> (tensor<45xi32>) {
    %v = tensor.extract %xt[%i] : tensor<45xi32>
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<45xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %t = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %t0) -> (tensor<45xi32>) {
    %k1 = arith.addi %k, %c1 : index
    %u = scf.forall (%i) in (45) shared_outs(%o = %a) -> (tensor<45xi32>) {
      %e = affine.apply affine_map<(d0, d1) -> ((d0 + d1 * 9) mod 45)>(%i, %k)
      %d = tensor.extract_slice %o[%e] [1] [1] : tensor<45xi32> to tensor<1xi32>
      %p = tensor.extract %d[%c0] : tensor<1xi32>
      %w = arith.muli %i, %k1 : index
      %w32 = arith.index_cast %w : index to i32
      %v = arith.addi %p, %w32 : i32
      %s = tensor.insert %v into %d[%c0] : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%e] [1] [1] : tensor<1xi32> into tensor<45xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %u : tensor<45xi32>
  }
  %oe = tensor.empty() : tensor<45xi32>
  %r = scf.forall (%i) in (45) shared_outs(%o = %oe) -> (tensor<45xi32>) {
    %v = tensor.extract %t[%i] : tensor<45xi32>
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<45xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<45xi32>, memref<45xi32>) -> ()
  return
}
