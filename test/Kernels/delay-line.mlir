// RUN: %python %S/run.py %s
// A loop yields what is new and, beside it, what was new in the iteration before.
// EXPECT workgroup_bytes=128 barriers=2
// RESULT a1 = np.where(np.arange(32) == 9, 1, a0)
func.func @delay_line(%x: memref<32xi32>, %out: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %xt = bufferization.to_tensor %x restrict : memref<32xi32> to tensor<32xi32>
  %r:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%new = %xt, %old = %xt) -> (tensor<32xi32>, tensor<32xi32>) {
    %v = arith.index_cast %k : index to i32
    %n = tensor.insert %v into %xt[%c9] : tensor<32xi32>
    scf.yield %n, %new : tensor<32xi32>, tensor<32xi32>
  }
  bufferization.materialize_in_destination %r#1 in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
