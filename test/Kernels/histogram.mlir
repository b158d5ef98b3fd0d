// RUN: %python %S/run.py %s
// Each thread counts its 16 values in a row of bins; thread j sums column j.
// EXPECT workgroup_bytes=1024 barriers=1
// RESULT a1 = np.bincount(a0.ravel(), minlength=8)
func.func @histogram(%x: memref<32x16xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<32x16xi32> to tensor<32x16xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zi = arith.constant 0 : i32
  %oi = arith.constant 1 : i32
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %he = tensor.empty() : tensor<32x8xi32>
  %h = scf.forall (%i) in (32) shared_outs(%o = %he) -> (tensor<32x8xi32>) {
    %d = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<32x8xi32> to tensor<8xi32>
    %d0 = linalg.fill ins(%zi : i32) outs(%d : tensor<8xi32>) -> tensor<8xi32>
    %d1 = scf.for %k = %c0 to %c16 step %c1 iter_args(%a = %d0) -> (tensor<8xi32>) {
      %b32 = tensor.extract %xt[%i, %k] : tensor<32x16xi32>
      %b = arith.index_cast %b32 : i32 to index
      %o0 = tensor.extract %a[%b] : tensor<8xi32>
      %o1 = arith.addi %o0, %oi : i32
      %a1 = tensor.insert %o1 into %a[%b] : tensor<8xi32>
      scf.yield %a1 : tensor<8xi32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d1 into %o[%i, 0] [1, 8] [1, 1] : tensor<8xi32> into tensor<32x8xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<8xi32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %oe) -> (tensor<8xi32>) {
    %v = scf.for %k = %c0 to %c32 step %c1 iter_args(%a = %zi) -> (i32) {
      %w = tensor.extract %h[%k, %i] : tensor<32x8xi32>
      %s = arith.addi %a, %w : i32
      scf.yield %s : i32
    }
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<8xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()

  return
}
