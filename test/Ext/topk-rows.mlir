// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// Both results; values that repeat, of which the first ones are taken.
// EXPECT workgroup_bytes<=4096
// SEQUENTIAL no: upstream does not bufferize the dialect
// INPUT a0 = np.random.default_rng(8).integers(0, 50, (5, 333))
// RESULT a1 = np.sort(a0, axis=1)[:, :13]
// RESULT a2 = np.argsort(a0, axis=1, kind='stable')[:, :13]
func.func @topk_rows(%x: memref<5x333xi32>, %v: memref<5x13xi32>, %i: memref<5x13xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<5x333xi32> to tensor<5x333xi32>
  %ve = tensor.empty() : tensor<5x13xi32>
  %ie = tensor.empty() : tensor<5x13xi32>
  %r:2 = ext.topk dimension(1) ins(%t : tensor<5x333xi32>)
      outs(%ve, %ie : tensor<5x13xi32>, tensor<5x13xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    ext.yield %first : i1
  } -> tensor<5x13xi32>, tensor<5x13xi32>
  bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<5x13xi32>, memref<5x13xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %i : (tensor<5x13xi32>, memref<5x13xi32>) -> ()
  return
}
