// RUN: %python %S/run.py %s
// Uniform counts go to the output as a whole tensor: never a read-modify-write by all threads in place.
// EXPECT workgroup_bytes<=32 barriers<=1
// RESULT a1 = np.bincount(a0, minlength=8)
func.func @uniform_histogram_out(%x: memref<64xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zi = arith.constant 0 : i32
  %oi = arith.constant 1 : i32
  %c64 = arith.constant 64 : index
  %he = tensor.empty() : tensor<8xi32>
  %h0 = linalg.fill ins(%zi : i32) outs(%he : tensor<8xi32>) -> tensor<8xi32>
  %h = scf.for %k = %c0 to %c64 step %c1 iter_args(%a = %h0) -> (tensor<8xi32>) {
    %b32 = tensor.extract %xt[%k] : tensor<64xi32>
    %b = arith.index_cast %b32 : i32 to index
    %o0 = tensor.extract %a[%b] : tensor<8xi32>
    %o1 = arith.addi %o0, %oi : i32
    %a1 = tensor.insert %o1 into %a[%b] : tensor<8xi32>
    scf.yield %a1 : tensor<8xi32>
  }
  bufferization.materialize_in_destination %h in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()

  return
}
