// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// Each thread sorts five elements of its own; no other thread sees them.
// EXPECT workgroup_bytes=0 barriers=0
// SEQUENTIAL no: upstream does not bufferize the dialect
// RESULT a1 = np.sort(a0, axis=1)
func.func @sort_in_threads(%in: memref<32x5xi32>, %out: memref<32x5xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<32x5xi32> to tensor<32x5xi32>
  %e = tensor.empty() : tensor<32x5xi32>
  %r = scf.forall (%i) in (32) shared_outs(%o = %e) -> (tensor<32x5xi32>) {
    %row = tensor.extract_slice %t[%i, 0] [1, 5] [1, 1] : tensor<32x5xi32> to tensor<5xi32>
    %s = ext.sort dimension(0) outs(%row : tensor<5xi32>) {
    ^bb0(%a: i32, %b: i32):
      %before = arith.cmpi slt, %a, %b : i32
      ext.yield %before : i1
    } -> tensor<5xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 5] [1, 1] : tensor<5xi32> into tensor<32x5xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32x5xi32>, memref<32x5xi32>) -> ()
  return
}
