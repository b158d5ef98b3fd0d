// RUN: %python %S/run.py %s
// Two tiles swap in a while loop whose condition reads the current one.
// EXPECT workgroup_bytes=512 barriers<=2
// RESULT a1 = (lambda f: f(f, a0))(lambda f, a: f(f, a[::-1] + 1) if a[0] < 100 else a)
func.func @while_pingpong(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %oi = arith.constant 1 : i32
  %c63 = arith.constant 63 : index
  %e0 = tensor.empty() : tensor<64xi32>
  %e1 = tensor.empty() : tensor<64xi32>
  %t0 = scf.forall (%i) in (64) shared_outs(%o = %e0) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %c100 = arith.constant 100 : i32
  %f:2 = scf.while (%p = %t0, %q = %e1) : (tensor<64xi32>, tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>) {
    %h = tensor.extract %p[%c0] : tensor<64xi32>
    %go = arith.cmpi slt, %h, %c100 : i32
    scf.condition(%go) %p, %q : tensor<64xi32>, tensor<64xi32>
  } do {
    ^bb0(%p: tensor<64xi32>, %q: tensor<64xi32>):
    %n1 = scf.forall (%i) in (64) shared_outs(%o = %q) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %w = tensor.extract %p[%j] : tensor<64xi32>
      %v = arith.addi %w, %oi : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}

    scf.yield %n1, %p : tensor<64xi32>, tensor<64xi32>
  }
  bufferization.materialize_in_destination %f#0 in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
