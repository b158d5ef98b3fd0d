// RUN: %python %S/run.py %s
// Each thread scans five elements of its own; no other thread sees them.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = 2 + np.cumsum(a0[:, ::-1], axis=1)[:, ::-1] - a0
func.func @scan_in_threads(%in: memref<32x5xi32>, %out: memref<32x5xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c2 = arith.constant 2 : i32
  %t = bufferization.to_tensor %in restrict : memref<32x5xi32> to tensor<32x5xi32>
  %e = tensor.empty() : tensor<32x5xi32>
  %r = scf.forall (%i) in (32) shared_outs(%o = %e) -> (tensor<32x5xi32>) {
    %row = tensor.extract_slice %t[%i, 0] [1, 5] [1, 1] : tensor<32x5xi32> to tensor<5xi32>
    %own = tensor.empty() : tensor<5xi32>
    %s = memspace.scan dimension(0) exclusive reverse ins(%row : tensor<5xi32>)
        initial(%c2 : i32) outs(%own : tensor<5xi32>) {
    ^bb0(%a: i32, %b: i32):
      %sum = arith.addi %a, %b : i32
      memspace.yield %sum : i32
    } -> tensor<5xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 5] [1, 1] : tensor<5xi32> into tensor<32x5xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32x5xi32>, memref<32x5xi32>) -> ()
  return
}
