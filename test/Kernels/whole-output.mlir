// RUN: %python %S/run.py %s
// Case S9: a forall of one iteration that writes its whole output, and one that
// writes rank-reduced full rows, stay in place. One thread fills the tile that
// all read.
// EXPECT workgroup_bytes=64 barriers<=1
// RESULT a1 = np.tile(np.cumsum(a0, dtype=np.int32), (32, 1)) + np.arange(32, dtype=np.int32)[:, None]
func.func @whole_output(%x: memref<16xi32>, %out: memref<32x16xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<16xi32> to tensor<16xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %te = tensor.empty() : tensor<16xi32>
  %t = scf.forall (%i) in (1) shared_outs(%o = %te) -> (tensor<16xi32>) {
    %u, %last = scf.for %k = %c0 to %c16 step %c1 iter_args(%w = %o, %a = %z) -> (tensor<16xi32>, i32) {
      %v = tensor.extract %xt[%k] : tensor<16xi32>
      %b = arith.addi %a, %v : i32
      %w1 = tensor.insert %b into %w[%k] : tensor<16xi32>
      scf.yield %w1, %b : tensor<16xi32>, i32
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[0] [16] [1] : tensor<16xi32> into tensor<16xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<32x16xi32>
  %r = scf.forall (%i) in (32) shared_outs(%o = %oe) -> (tensor<32x16xi32>) {
    %ii = arith.index_cast %i : index to i32
    %d = tensor.extract_slice %o[%i, 0] [1, 16] [1, 1] : tensor<32x16xi32> to tensor<16xi32>
    %s = linalg.map ins(%t : tensor<16xi32>) outs(%d : tensor<16xi32>)
      (%tv: i32, %init: i32) {
        %v = arith.addi %tv, %ii : i32
        linalg.yield %v : i32
      }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 16] [1, 1] : tensor<16xi32> into tensor<32x16xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32x16xi32>, memref<32x16xi32>) -> ()
  return
}
