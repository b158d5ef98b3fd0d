// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// The sums of three rows, and what each row ends with.
// EXPECT workgroup_bytes<=4096
// SEQUENTIAL no: upstream does not bufferize the dialect
// RESULT a1 = np.cumsum(a0, axis=1)
// RESULT a2 = np.sum(a0, axis=1)
func.func @scan_accumulator(%in: memref<3x500xi32>, %out: memref<3x500xi32>, %total: memref<3xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<3x500xi32> to tensor<3x500xi32>
  %e = tensor.empty() : tensor<3x500xi32>
  %a = tensor.empty() : tensor<3xi32>
  %s:2 = ext.scan dimension(1) inclusive ins(%t : tensor<3x500xi32>)
      outs(%e, %a : tensor<3x500xi32>, tensor<3xi32>) {
  ^bb0(%x: i32, %before: i32):
    %sum = arith.addi %before, %x : i32
    ext.yield %sum : i32
  } -> tensor<3x500xi32>, tensor<3xi32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<3x500xi32>, memref<3x500xi32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %total : (tensor<3xi32>, memref<3xi32>) -> ()
  return
}
