// RUN: %python %S/run.py %s
// One element is updated in each iteration, after which two tiles change places.
// EXPECT workgroup_bytes=16384 barriers<=8
// RESULT a1 = np.where(np.arange(2048) == 0, 1, a0)
// RESULT a2 = np.where(np.arange(2048) == 0, 2, a0)
func.func @guard_exchange(%x: memref<2048xi32>, %out: memref<2048xi32>, %other: memref<2048xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %xt = bufferization.to_tensor %x restrict : memref<2048xi32> to tensor<2048xi32>
  %f:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %xt, %b = %xt) -> (tensor<2048xi32>, tensor<2048xi32>) {
    %v = arith.index_cast %k : index to i32
    %n = tensor.insert %v into %b[%c0] : tensor<2048xi32>
    scf.yield %n, %a : tensor<2048xi32>, tensor<2048xi32>
  }
  %oe = tensor.empty() : tensor<2048xi32>
  %r = scf.forall (%i) in (2048) shared_outs(%o = %oe) -> (tensor<2048xi32>) {
    %v = tensor.extract %f#1[%i] : tensor<2048xi32>
    %vs = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %vs into %o[%i] [1] [1] : tensor<1xi32> into tensor<2048xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<2048xi32>, memref<2048xi32>) -> ()
  bufferization.materialize_in_destination %f#0 in restrict writable %other : (tensor<2048xi32>, memref<2048xi32>) -> ()
  return
}
