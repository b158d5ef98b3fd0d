// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// An exclusive scan begins with the accumulator, in which what it ends with is put.
// EXPECT workgroup_bytes<=2048
// SEQUENTIAL no: upstream does not bufferize the dialect
// INPUT a1 = np.array(5)
// RESULT a2 = 5 + np.cumsum(a0) - a0
// RESULT a3 = 5 + np.sum(a0[:-1])
func.func @scan_begins_with(%in: memref<250xi32>, %first: memref<i32>, %out: memref<250xi32>, %last: memref<i32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<250xi32> to tensor<250xi32>
  %f = bufferization.to_tensor %first restrict : memref<i32> to tensor<i32>
  %e = tensor.empty() : tensor<250xi32>
  %s:2 = ext.scan dimension(0) ins(%t : tensor<250xi32>)
      outs(%e, %f : tensor<250xi32>, tensor<i32>) {
  ^bb0(%x: i32, %before: i32):
    %sum = arith.addi %before, %x : i32
    ext.yield %sum : i32
  } -> tensor<250xi32>, tensor<i32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<250xi32>, memref<250xi32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %last : (tensor<i32>, memref<i32>) -> ()
  return
}
