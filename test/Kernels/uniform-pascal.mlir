// RUN: %python %S/run.py %s
// A uniform table by two small buffers that swap (rows of Pascal's triangle).
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = (lambda f: f(f, np.ones(8, int), 7))(lambda f, a, n: a if n == 0 else f(f, np.cumsum(a), n - 1))[a0]
func.func @uniform_pascal(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %oi = arith.constant 1 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c5 = arith.constant 5 : index
  %pe = tensor.empty() : tensor<8xi32>
  %qe = tensor.empty() : tensor<8xi32>
  %c8 = arith.constant 8 : index
  %p0 = linalg.fill ins(%oi : i32) outs(%pe : tensor<8xi32>) -> tensor<8xi32>
  %f:2 = scf.for %k = %c1 to %c8 step %c1 iter_args(%a = %p0, %b = %qe) -> (tensor<8xi32>, tensor<8xi32>) {
    %b0 = tensor.insert %oi into %b[%c0] : tensor<8xi32>
    %n = scf.for %q = %c1 to %c8 step %c1 iter_args(%w = %b0) -> (tensor<8xi32>) {
      %qm = arith.subi %q, %c1 : index
      %u1 = tensor.extract %w[%qm] : tensor<8xi32>
      %u2 = tensor.extract %a[%q] : tensor<8xi32>
      %u = arith.addi %u1, %u2 : i32
      %w1 = tensor.insert %u into %w[%q] : tensor<8xi32>
      scf.yield %w1 : tensor<8xi32>
    }
    scf.yield %n, %a : tensor<8xi32>, tensor<8xi32>
  }
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %a = tensor.extract %xt[%i] : tensor<64xi32>
    %j = arith.index_cast %a : i32 to index
    %v = tensor.extract %f#0[%j] : tensor<8xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
