// RUN: %python %S/run.py %s
// The branch yields a fresh tile or the argument, stored whole.
// EXPECT workgroup_bytes<=512 barriers<=3
// RESULT a2 = a0[::-1] if a1[0] > 3 else a0
func.func @if_fresh_or_arg_out(%x: memref<64xi32>, %fl: memref<1xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %flt = bufferization.to_tensor %fl restrict : memref<1xi32> to tensor<1xi32>
  %c0 = arith.constant 0 : index
  %c3i = arith.constant 3 : i32
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
  %fv = tensor.extract %flt[%c0] : tensor<1xi32>
  %cnd = arith.cmpi sgt, %fv, %c3i : i32
  %s = scf.if %cnd -> (tensor<64xi32>) {
    %ue = tensor.empty() : tensor<64xi32>
    %u = scf.forall (%i) in (64) shared_outs(%o = %ue) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %v = tensor.extract %t[%j] : tensor<64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %u : tensor<64xi32>
  } else {
    scf.yield %xt : tensor<64xi32>
  }
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
