// RUN: %python %S/run.py %s
// A combiner of integers that, once it is folded, depends neither on the update nor on the
// old element: what is left of the compare-and-swap loop is an atomic store. From the
// fuzzer.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// INPUT a0 = np.random.default_rng(5).integers(0, 100, (200, 1))
// INPUT a1 = np.arange(64)
// RESULT a1 = np.where(np.isin(np.arange(64), a0), 12, np.arange(64))
func.func @scatter_constant(%in: memref<200x1xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %i = bufferization.to_tensor %in restrict : memref<200x1xi32> to tensor<200x1xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xi32> to tensor<64xi32>
  %u = tensor.collapse_shape %i [[0, 1]] : tensor<200x1xi32> into tensor<200xi32>
  %s = memspace.scatter scatter_dims([0])
      ins(%u, %i : tensor<200xi32>, tensor<200x1xi32>) outs(%o : tensor<64xi32>) {
  ^bb0(%x: i32, %old: i32):
    %zero = arith.constant 0 : i32
    %twelve = arith.constant 12 : i32
    %none = arith.andi %old, %zero : i32
    %new = arith.addi %none, %twelve : i32
    memspace.yield %new : i32
  } -> tensor<64xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
