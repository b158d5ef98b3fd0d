// RUN: %python %S/run.py %s
// A branch swaps two tiles; one is updated from the other.
// EXPECT workgroup_bytes<=768 barriers<=4
// RESULT a2 = ((lambda a, b: a + b[::-1])(a0, a0 * a0) if a1[0] > 1 else (lambda a, b: a + b[::-1])(a0 * a0, a0))[::-1]
func.func @if_swaps(%x: memref<64xi32>, %fl: memref<1xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %flt = bufferization.to_tensor %fl restrict : memref<1xi32> to tensor<1xi32>
  %c0 = arith.constant 0 : index
  %oi = arith.constant 1 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %ue = tensor.empty() : tensor<64xi32>
  %u0 = scf.forall (%i) in (64) shared_outs(%o = %ue) -> (tensor<64xi32>) {
    %w = tensor.extract %xt[%i] : tensor<64xi32>
    %v = arith.muli %w, %w : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %fv = tensor.extract %flt[%c0] : tensor<1xi32>
  %cnd = arith.cmpi sgt, %fv, %oi : i32
  %s:2 = scf.if %cnd -> (tensor<64xi32>, tensor<64xi32>) {
    scf.yield %t, %u0 : tensor<64xi32>, tensor<64xi32>
  } else {
    scf.yield %u0, %t : tensor<64xi32>, tensor<64xi32>
  }
  %n = scf.forall (%i) in (64) shared_outs(%o = %s#0) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %p = tensor.extract %s#1[%j] : tensor<64xi32>
    %q = tensor.extract %o[%i] : tensor<64xi32>
    %v = arith.addi %p, %q : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oer = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oer) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %n[%j] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
