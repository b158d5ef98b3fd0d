// RUN: %python %S/run.py %s
// As while-counted, the result is stored by its owner: no workgroup memory is needed.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0 + 10
func.func @while_aligned(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %zi = arith.constant 0 : i32
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
  %f:2 = scf.while (%a = %t, %k = %zi) : (tensor<64xi32>, i32) -> (tensor<64xi32>, i32) {
    %five = arith.constant 5 : i32
    %go = arith.cmpi slt, %k, %five : i32
    scf.condition(%go) %a, %k : tensor<64xi32>, i32
  } do {
    ^bb0(%a: tensor<64xi32>, %k: i32):
    %n = scf.forall (%i) in (64) shared_outs(%o = %a) -> (tensor<64xi32>) {
      %w = tensor.extract %o[%i] : tensor<64xi32>
      %v = arith.addi %w, %k : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %k1 = arith.addi %k, %oi : i32
    scf.yield %n, %k1 : tensor<64xi32>, i32
  }
  bufferization.materialize_in_destination %f#0 in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
