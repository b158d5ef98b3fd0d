// RUN: memspace-fuzz %s | FileCheck %s
// CHECK: kernels: 1, ok: 1,
// What an op of another dialect computed is overwritten before anybody reads it:
// it goes, as what it was computed from does.
func.func @kernel(%x: memref<128xi32>, %out: memref<128xi32>)
    attributes {gpu.known_block_size = array<i32: 2, 1, 1>} {
  %a = lie.load_binding %x : memref<128xi32> -> tensor<128xi32>
  %grid = tensor.expand_shape %a [[0, 1]] output_shape [4, 32] : tensor<128xi32> into tensor<4x32xi32>
  %e = tensor.empty() : tensor<32x4xi32>
  %t = linalg.transpose ins(%grid : tensor<4x32xi32>) outs(%e : tensor<32x4xi32>) permutation = [1, 0]
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<32x4xi32> into tensor<128xi32>
  %o = lie.opaque %flat, %flat : tensor<128xi32>, tensor<128xi32> -> tensor<128xi32>
  %r = linalg.copy ins(%a : tensor<128xi32>) outs(%o : tensor<128xi32>) -> tensor<128xi32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<128xi32>, memref<128xi32>) -> ()
  return
}
