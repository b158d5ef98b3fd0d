// RUN: %python %S/run.py %s
// Rows of a tile are gathered by data-dependent indices.
// EXPECT workgroup_bytes=512 barriers<=1
// RESULT a2 = a0[a1]
func.func @gather_rows(%x: memref<16x8xf32>, %idx: memref<16xi32>, %out: memref<16x8xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<16x8xf32> to tensor<16x8xf32>
  %idxt = bufferization.to_tensor %idx restrict : memref<16xi32> to tensor<16xi32>
  %te = tensor.empty() : tensor<16x8xf32>
  %t = scf.forall (%i) in (16) shared_outs(%o = %te) -> (tensor<16x8xf32>) {
    %s = tensor.extract_slice %xt[%i, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<8xf32>
    %d = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<8xf32>
    %q = linalg.copy ins(%s : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<16x8xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<16x8xf32>
  %r = scf.forall (%i) in (16) shared_outs(%o = %oe) -> (tensor<16x8xf32>) {
    %k32 = tensor.extract %idxt[%i] : tensor<16xi32>
    %k = arith.index_cast %k32 : i32 to index
    %s = tensor.extract_slice %t[%k, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<8xf32>
    %d = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<8xf32>
    %q = linalg.copy ins(%s : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<16x8xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<16x8xf32>, memref<16x8xf32>) -> ()

  return
}
