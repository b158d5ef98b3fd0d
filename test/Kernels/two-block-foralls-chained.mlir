// RUN: %python %S/run.py %s
// The second block forall reads what the first wrote in the same block.
// EXPECT workgroup_bytes<=512 barriers<=4 or refused "block|grid|workgroup"
// RESULT a1 = a0[:, ::-1] + 1
// RESULT a2 = a0 + 6
func.func @two_block_foralls_chained(%x: memref<4x64xi32>, %out: memref<4x64xi32>, %out2: memref<4x64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x64xi32> to tensor<4x64xi32>
  %oi = arith.constant 1 : i32
  %c63 = arith.constant 63 : index
  %five = arith.constant 5 : i32
  %oe = tensor.empty() : tensor<4x64xi32>
  %qe = tensor.empty() : tensor<4x64xi32>
  %r = scf.forall (%b) in (4) shared_outs(%ob = %oe) -> (tensor<4x64xi32>) {
    %te = tensor.empty() : tensor<64xi32>
    %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
      %v = tensor.extract %xt[%b, %i] : tensor<4x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %dst = tensor.extract_slice %ob[%b, 0] [1, 64] [1, 1] : tensor<4x64xi32> to tensor<64xi32>
    %u = scf.forall (%i) in (64) shared_outs(%o = %dst) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %q = tensor.extract %t[%j] : tensor<64xi32>
      %v = arith.addi %q, %oi : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}

    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%b, 0] [1, 64] [1, 1] : tensor<64xi32> into tensor<4x64xi32>
    }
  } {mapping = [#gpu.block<x>]}
  %s = scf.forall (%b) in (4) shared_outs(%ob = %qe) -> (tensor<4x64xi32>) {
    %te = tensor.empty() : tensor<64xi32>
    %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
      %v = tensor.extract %r[%b, %i] : tensor<4x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %dst = tensor.extract_slice %ob[%b, 0] [1, 64] [1, 1] : tensor<4x64xi32> to tensor<64xi32>
    %u = scf.forall (%i) in (64) shared_outs(%o = %dst) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %q = tensor.extract %t[%j] : tensor<64xi32>
      %v = arith.addi %q, %five : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}

    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%b, 0] [1, 64] [1, 1] : tensor<64xi32> into tensor<4x64xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x64xi32>, memref<4x64xi32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %out2 : (tensor<4x64xi32>, memref<4x64xi32>) -> ()

  return
}
