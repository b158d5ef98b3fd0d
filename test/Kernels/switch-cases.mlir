// RUN: %python %S/run.py %s
// scf.index_switch: mirror, keep, or add one.
// EXPECT workgroup_bytes<=512 barriers<=4
// RESULT a1 = a0[::-1] if a0[0] == 1 else a0 if a0[0] == 2 else a0 + 1
func.func @switch_cases(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %oi = arith.constant 1 : i32
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %k32 = tensor.extract %xt[%c0] : tensor<64xi32>
  %k = arith.index_cast %k32 : i32 to index
  %s = scf.index_switch %k -> tensor<64xi32>
  case 1 {
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
  }
  case 2 {
    scf.yield %t : tensor<64xi32>
  }
  default {
    %u = scf.forall (%i) in (64) shared_outs(%o = %t) -> (tensor<64xi32>) {
      %a = tensor.extract %o[%i] : tensor<64xi32>
      %v = arith.addi %a, %oi : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %u : tensor<64xi32>
  }
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
