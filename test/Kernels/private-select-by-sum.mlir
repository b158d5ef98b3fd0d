// RUN: %python %S/run.py %s
// A private buffer filled in a loop, read at a data-dependent place.
// EXPECT workgroup_bytes=0 private_bytes<=32 barriers=0
// RESULT a1 = a0[np.arange(64), a0.sum(1) % 8]
func.func @private_select_by_sum(%x: memref<64x8xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64x8xi32> to tensor<64x8xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zi = arith.constant 0 : i32
  %ei = arith.constant 8 : i32
  %c8 = arith.constant 8 : index
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %be = tensor.empty() : tensor<8xi32>
    %f:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%a = %be, %s = %zi) -> (tensor<8xi32>, i32) {
      %w = tensor.extract %xt[%i, %k] : tensor<64x8xi32>
      %b = tensor.insert %w into %a[%k] : tensor<8xi32>
      %s1 = arith.addi %s, %w : i32
      scf.yield %b, %s1 : tensor<8xi32>, i32
    }
    %m = arith.remui %f#1, %ei : i32
    %mi = arith.index_cast %m : i32 to index
    %v = tensor.extract %f#0[%mi] : tensor<8xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
