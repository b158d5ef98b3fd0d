// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// The combiner has the new element first, and keeps what is before it.
// EXPECT workgroup_bytes<=2048
// SEQUENTIAL no: upstream does not bufferize the dialect
// RESULT a1 = np.full(300, a0[0])
func.func @scan_order(%in: memref<300xf32>, %out: memref<300xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<300xf32> to tensor<300xf32>
  %e = tensor.empty() : tensor<300xf32>
  %a = tensor.empty() : tensor<f32>
  %s:2 = ext.scan dimension(0) inclusive ins(%t : tensor<300xf32>)
      outs(%e, %a : tensor<300xf32>, tensor<f32>) {
  ^bb0(%x: f32, %before: f32):
    ext.yield %before : f32
  } -> tensor<300xf32>, tensor<f32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<300xf32>, memref<300xf32>) -> ()
  return
}
