// RUN: %python %S/run.py %s
// Each thread sorts a row to a place that comes from data. That no two threads have one
// place the forall promises, and the verifier is told at each load and store.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// OPTIONS may-hazards=error
// INPUT a1 = np.random.default_rng(23).permutation(32)
// RESULT a2 = np.sort(a0, axis=1)[np.argsort(a1)]
// BLOCKS refused: the promise of a loop is lost with the loop
func.func @sort_to_data_offsets(%in: memref<32x5xi32>, %index: memref<32xi32>, %out: memref<32x5xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<32x5xi32> to tensor<32x5xi32>
  %it = bufferization.to_tensor %index restrict : memref<32xi32> to tensor<32xi32>
  %e = tensor.empty() : tensor<32x5xi32>
  %r = scf.forall (%i) in (32) shared_outs(%o = %e) -> (tensor<32x5xi32>) {
    %k32 = tensor.extract %it[%i] : tensor<32xi32>
    %k = arith.index_cast %k32 : i32 to index
    %row = tensor.extract_slice %t[%i, 0] [1, 5] [1, 1] : tensor<32x5xi32> to tensor<5xi32>
    %own = tensor.extract_slice %o[%k, 0] [1, 5] [1, 1] : tensor<32x5xi32> to tensor<5xi32>
    %s = memspace.sort dimension(0) ins(%row : tensor<5xi32>) outs(%own : tensor<5xi32>) {
    ^bb0(%a: i32, %b: i32):
      %before = arith.cmpi slt, %a, %b : i32
      memspace.yield %before : i1
    } -> tensor<5xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%k, 0] [1, 5] [1, 1] : tensor<5xi32> into tensor<32x5xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32x5xi32>, memref<32x5xi32>) -> ()
  return
}
