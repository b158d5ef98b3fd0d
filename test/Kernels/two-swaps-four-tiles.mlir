// RUN: %python %S/run.py %s
// Two independent swaps in one loop, one of them of tiles that are only read.
// EXPECT workgroup_bytes<=1024 barriers<=4
// RESULT a1 = (lambda f: f(f, 5, *a0))(lambda f, n, a, b, c, d: a[::-1] - c if n == 0 else f(f, n - 1, b, a + c[::-1], d, c))
func.func @two_swaps_four_tiles(%x: memref<4x64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x64xi32> to tensor<4x64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %e0 = tensor.empty() : tensor<64xi32>
  %t0 = scf.forall (%i) in (64) shared_outs(%o = %e0) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%c0, %i] : tensor<4x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %e1 = tensor.empty() : tensor<64xi32>
  %t1 = scf.forall (%i) in (64) shared_outs(%o = %e1) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%c1, %i] : tensor<4x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %e2 = tensor.empty() : tensor<64xi32>
  %t2 = scf.forall (%i) in (64) shared_outs(%o = %e2) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%c2, %i] : tensor<4x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %e3 = tensor.empty() : tensor<64xi32>
  %t3 = scf.forall (%i) in (64) shared_outs(%o = %e3) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%c3, %i] : tensor<4x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %c5 = arith.constant 5 : index
  %f:4 = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %t0, %b = %t1, %c = %t2, %d = %t3) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) {
    %n = scf.forall (%i) in (64) shared_outs(%o = %a) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %w = tensor.extract %c[%j] : tensor<64xi32>
      %u = tensor.extract %o[%i] : tensor<64xi32>
      %v = arith.addi %u, %w : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %b, %n, %d, %c : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %p1 = tensor.extract %f#0[%j] : tensor<64xi32>
    %p2 = tensor.extract %f#2[%i] : tensor<64xi32>
    %v = arith.subi %p1, %p2 : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
