// RUN: %python %S/run.py %s
// A while loop makes a fresh tile in each turn; the result is mirrored.
// EXPECT workgroup_bytes<=512 barriers<=4
// RESULT a1 = (lambda f: f(f, a0))(lambda f, a: f(f, a[::-1] + 1) if a[0] < 100 else a)[::-1]
func.func @while_fresh_tile(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %oi = arith.constant 1 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : i32
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f = scf.while (%a = %t) : (tensor<64xi32>) -> tensor<64xi32> {
    %h = tensor.extract %a[%c0] : tensor<64xi32>
    %go = arith.cmpi slt, %h, %c100 : i32
    scf.condition(%go) %a : tensor<64xi32>
  } do {
    ^bb0(%a: tensor<64xi32>):
    %ne = tensor.empty() : tensor<64xi32>
    %n = scf.forall (%i) in (64) shared_outs(%o = %ne) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %w = tensor.extract %a[%j] : tensor<64xi32>
      %v = arith.addi %w, %oi : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %n : tensor<64xi32>
  }
  %oer = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oer) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %f[%j] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
