// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// Nobody uses the labels: neither they nor positions are looked at, and nothing but the
// values is in the tile.
// EXPECT workgroup_bytes<=4096
// SEQUENTIAL no: upstream does not bufferize the dialect
// RESULT a2 = -np.sort(-a0, axis=1)[:, :9]
func.func @topk_labels_unused(%x: memref<3x200xf32>, %l: memref<3x200xi32>, %v: memref<3x9xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<3x200xf32> to tensor<3x200xf32>
  %lt = bufferization.to_tensor %l restrict : memref<3x200xi32> to tensor<3x200xi32>
  %ve = tensor.empty() : tensor<3x9xf32>
  %ie = tensor.empty() : tensor<3x9xi32>
  %r:2 = ext.topk dimension(1) ins(%t : tensor<3x200xf32>) labels(%lt : tensor<3x200xi32>)
      outs(%ve, %ie : tensor<3x9xf32>, tensor<3x9xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    ext.yield %first : i1
  } -> tensor<3x9xf32>, tensor<3x9xi32>
  bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<3x9xf32>, memref<3x9xf32>) -> ()
  return
}
