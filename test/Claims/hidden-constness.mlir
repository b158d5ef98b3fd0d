// RUN: memspace-fuzz %s | FileCheck %s
// CHECK: kernels: 1, ok: 1,
// Memory from outside that another dialect names is not written.
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = lie.load_binding %in {hides_constness} : memref<64xf32> -> tensor<64xf32>
  %s = linalg.add ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
