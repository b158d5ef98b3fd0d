// RUN: %python %S/run.py %s
// Even steps mirror the tile into a fresh one, odd steps add in place.
// EXPECT workgroup_bytes<=512 barriers<=5
// RESULT a1 = (a0[::-1] + a0)[::-1] + a0
func.func @if_in_for(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<64xi32>
  %t0 = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %t0) -> (tensor<64xi32>) {
    %m = arith.remui %k, %c2 : index
    %e = arith.cmpi eq, %m, %c0 : index
    %n = scf.if %e -> (tensor<64xi32>) {
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
      %u = scf.forall (%i) in (64) shared_outs(%o = %t) -> (tensor<64xi32>) {
        %w = tensor.extract %o[%i] : tensor<64xi32>
        %x0 = tensor.extract %xt[%i] : tensor<64xi32>
        %v = arith.addi %w, %x0 : i32
        %se_ = tensor.from_elements %v : tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %u : tensor<64xi32>
    }
    scf.yield %n : tensor<64xi32>
  }
  bufferization.materialize_in_destination %f in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
