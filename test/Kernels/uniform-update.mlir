// RUN: %python %S/run.py %s
// Case S14: nobody distributed the running sum over a tile that all threads
// filled. It must be done once, by one thread between two barriers, never by
// all; a refusal that names it is right too.
// EXPECT workgroup_bytes=176 barriers<=2 or refused "scf.for|tensor.insert|uniform|distribut"
// RESULT a1 = np.cumsum(a0 * 2, dtype=np.int32)[::-1]
func.func @uniform_update(%x: memref<44xi32>, %out: memref<44xi32>)
    attributes {gpu.known_block_size = array<i32: 44, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<44xi32> to tensor<44xi32>
  %c1 = arith.constant 1 : index
  %c43 = arith.constant 43 : index
  %c44 = arith.constant 44 : index
  %te = tensor.empty() : tensor<44xi32>
  %t = scf.forall (%i) in (44) shared_outs(%o = %te) -> (tensor<44xi32>) {
    %v = tensor.extract %xt[%i] : tensor<44xi32>
    %w = arith.addi %v, %v : i32
    %s = tensor.from_elements %w : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<44xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %sum = scf.for %k = %c1 to %c44 step %c1 iter_args(%a = %t) -> (tensor<44xi32>) {
    %p = arith.subi %k, %c1 : index
    %u = tensor.extract %a[%p] : tensor<44xi32>
    %v = tensor.extract %a[%k] : tensor<44xi32>
    %w = arith.addi %u, %v : i32
    %b = tensor.insert %w into %a[%k] : tensor<44xi32>
    scf.yield %b : tensor<44xi32>
  }
  %oe = tensor.empty() : tensor<44xi32>
  %r = scf.forall (%i) in (44) shared_outs(%o = %oe) -> (tensor<44xi32>) {
    %j = arith.subi %c43, %i : index
    %v = tensor.extract %sum[%j] : tensor<44xi32>
    %s = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<44xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<44xi32>, memref<44xi32>) -> ()
  return
}
