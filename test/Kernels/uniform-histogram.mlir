// RUN: %python %S/run.py %s
// Every thread counts all values into its own 8 bins.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = np.bincount(a0, minlength=8)[a0]
func.func @uniform_histogram(%x: memref<64xi32>, %out: memref<64xi32>)
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
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %b32 = tensor.extract %xt[%i] : tensor<64xi32>
    %b = arith.index_cast %b32 : i32 to index
    %v = tensor.extract %h[%b] : tensor<8xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
