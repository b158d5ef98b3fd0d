// RUN: %python %S/run.py %s
// As loop-updates-own-slices, of elements: what a thread reads of its own by
// tensor.extract is updated in place; of the tile that others read there are two.
// EXPECT workgroup_bytes=256 private_bytes<=4 executed<=8
// RESULT a1 = __import__("functools").reduce(lambda s, _: (s[0] + np.roll(s[1], -1), s[1] * 3), range(4), (a0, a0))[0]
func.func @loop_updates_own_elements(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i3 = arith.constant 3 : i32
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %ea = tensor.empty() : tensor<64xi32>
  %a0 = linalg.copy ins(%xt : tensor<64xi32>) outs(%ea : tensor<64xi32>) -> tensor<64xi32>
  %eb = tensor.empty() : tensor<64xi32>
  %b0 = linalg.copy ins(%xt : tensor<64xi32>) outs(%eb : tensor<64xi32>) -> tensor<64xi32>
  %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %a0, %b = %b0) -> (tensor<64xi32>, tensor<64xi32>) {
    %e1 = tensor.empty() : tensor<64xi32>
    %p = scf.forall (%t) in (64) shared_outs(%o = %e1) -> (tensor<64xi32>) {
      %q = affine.apply affine_map<(d0) -> ((d0 + 1) mod 64)>(%t)
      %u = tensor.extract %a[%t] : tensor<64xi32>
      %v = tensor.extract %b[%q] : tensor<64xi32>
      %w = arith.addi %u, %v : i32
      %f = tensor.from_elements %w : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %o[%t] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %e2 = tensor.empty() : tensor<64xi32>
    %n = scf.forall (%t) in (64) shared_outs(%o = %e2) -> (tensor<64xi32>) {
      %u = tensor.extract %b[%t] : tensor<64xi32>
      %w = arith.muli %u, %i3 : i32
      %f = tensor.from_elements %w : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %o[%t] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %p, %n : tensor<64xi32>, tensor<64xi32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
