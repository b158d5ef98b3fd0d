// RUN: %python %S/run.py %s
// A loop of the block updates the tile of the output, and its threads read the parts of
// their neighbours: the tile would be workgroup memory, so it stays in the output.
// EXPECT workgroup_bytes=0 private_bytes=4 barriers=2
// RESULT a1 = (lambda s: s(s(s(a0.reshape(2, 64)))))(lambda x: x + np.roll(x, -1, axis=1)).reshape(128)
func.func @kernel(%A: memref<128xi32>, %B: memref<128xi32>) attributes {
    gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = bufferization.to_tensor %A restrict : memref<128xi32> to tensor<128xi32>
  %e = tensor.empty() : tensor<128xi32>
  %r = scf.forall (%b) in (2) shared_outs(%o = %e) -> (tensor<128xi32>) {
    %f = affine.apply affine_map<(d0) -> (d0 * 64)>(%b)
    %at = tensor.extract_slice %a[%f] [64] [1] : tensor<128xi32> to tensor<64xi32>
    %ot = tensor.extract_slice %o[%f] [64] [1] : tensor<128xi32> to tensor<64xi32>
    %init = linalg.copy ins(%at : tensor<64xi32>) outs(%ot : tensor<64xi32>) -> tensor<64xi32>
    %done = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %init) -> (tensor<64xi32>) {
      %next = scf.forall (%t) in (64) shared_outs(%p = %acc) -> (tensor<64xi32>) {
        %n = affine.apply affine_map<(d0) -> ((d0 + 1) mod 64)>(%t)
        %u = tensor.extract %acc[%t] : tensor<64xi32>
        %v = tensor.extract %acc[%n] : tensor<64xi32>
        %s = arith.addi %u, %v : i32
        %w = tensor.from_elements %s : tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %w into %p[%t] [1] [1] : tensor<1xi32> into tensor<64xi32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %next : tensor<64xi32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[%f] [64] [1] : tensor<64xi32> into tensor<128xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %B : (tensor<128xi32>, memref<128xi32>) -> ()
  return
}
