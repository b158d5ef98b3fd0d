// RUN: %python %S/run.py %s
// Three tiles permuted in a cycle by iter_args.
// EXPECT workgroup_bytes=768 barriers<=3
// RESULT a1 = (lambda f: f(f, 4, a0[0], a0[1], a0[2]))(lambda f, n, a, b, c: a if n == 0 else f(f, n - 1, b, c, a + b[::-1]))
func.func @three_cycle(%x: memref<3x64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<3x64xi32> to tensor<3x64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %c6 = arith.constant 6 : index
  %e0 = tensor.empty() : tensor<64xi32>
  %t0 = scf.forall (%i) in (64) shared_outs(%o = %e0) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%c0, %i] : tensor<3x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %e1 = tensor.empty() : tensor<64xi32>
  %t1 = scf.forall (%i) in (64) shared_outs(%o = %e1) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%c1, %i] : tensor<3x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %e2 = tensor.empty() : tensor<64xi32>
  %t2 = scf.forall (%i) in (64) shared_outs(%o = %e2) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%c2, %i] : tensor<3x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f:3 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %t0, %b = %t1, %c = %t2) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) {
    %n = scf.forall (%i) in (64) shared_outs(%o = %a) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %w = tensor.extract %b[%j] : tensor<64xi32>
      %u = tensor.extract %o[%i] : tensor<64xi32>
      %v = arith.addi %u, %w : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %b, %c, %n : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  bufferization.materialize_in_destination %f#0 in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
