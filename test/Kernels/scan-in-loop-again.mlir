// RUN: %python %S/run.py %s
// A scan in place of its input is none where the input comes from outside of a
// loop: each iteration reads it again. Found by memspace-fuzz (seed 749300019210).
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = (np.cumsum(a0.reshape(16, 4), axis=1) - a0.reshape(16, 4) + 2).ravel()
func.func @scan_in_loop_again(%in: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<64xi32>
  %y = scf.forall (%t) in (16) shared_outs(%o = %e) -> (tensor<64xi32>) {
    %f = tensor.empty() : tensor<4xi32>
    %b = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)
    %p = tensor.extract_slice %x[%b] [4] [1] : tensor<64xi32> to tensor<4xi32>
    %a = linalg.copy ins(%p : tensor<4xi32>) outs(%f : tensor<4xi32>) -> tensor<4xi32>
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%old = %p) -> (tensor<4xi32>) {
      %iv = arith.index_cast %i : index to i32
      %s = memspace.scan dimension(0) exclusive ins(%a : tensor<4xi32>) initial(%iv : i32) outs(%a : tensor<4xi32>) {
      ^bb0(%l: i32, %q: i32):
        %m = arith.addi %l, %q : i32
        memspace.yield %m : i32
      } -> tensor<4xi32>
      scf.yield %s : tensor<4xi32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%b] [4] [1] : tensor<4xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
