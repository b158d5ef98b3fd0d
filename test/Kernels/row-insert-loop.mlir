// RUN: %python %S/run.py %s
// Rows of a tile are staged one per loop iteration, rank-reduced, then columns are mirrored.
// EXPECT workgroup_bytes=1024 barriers=1
// RESULT a1 = a0[:, ::-1]
func.func @row_insert_loop(%x: memref<4x64xi32>, %out: memref<4x64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x64xi32> to tensor<4x64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<4x64xi32>
  %f = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %te) -> (tensor<4x64xi32>) {
    %row = tensor.extract_slice %t[%k, 0] [1, 64] [1, 1] : tensor<4x64xi32> to tensor<64xi32>
    %n = scf.forall (%i) in (64) shared_outs(%o = %row) -> (tensor<64xi32>) {
      %v = tensor.extract %xt[%k, %i] : tensor<4x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %t2 = tensor.insert_slice %n into %t[%k, 0] [1, 64] [1, 1] : tensor<64xi32> into tensor<4x64xi32>
    scf.yield %t2 : tensor<4x64xi32>
  }
  %oe = tensor.empty() : tensor<4x64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<4x64xi32>) {
    %j = arith.subi %c63, %i : index
    %s = tensor.extract_slice %f[0, %j] [4, 1] [1, 1] : tensor<4x64xi32> to tensor<4x1xi32>
    %d = tensor.extract_slice %o[0, %i] [4, 1] [1, 1] : tensor<4x64xi32> to tensor<4x1xi32>
    %q = linalg.copy ins(%s : tensor<4x1xi32>) outs(%d : tensor<4x1xi32>) -> tensor<4x1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[0, %i] [4, 1] [1, 1] : tensor<4x1xi32> into tensor<4x64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x64xi32>, memref<4x64xi32>) -> ()

  return
}
