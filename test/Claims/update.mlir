// RUN: memspace-fuzz %s | FileCheck %s
// CHECK: kernels: 1, ok: 1,
// An op in no destination style updates what the threads share: one of them does
// it, where the op says what it updates; else each thread has a copy.
func.func @kernel(%x: memref<64xi32>, %out: memref<64xi32>, %out2: memref<64xi32>, %out3: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %e = tensor.empty() : tensor<64xi32>
  %s = linalg.add ins(%a, %a : tensor<64xi32>, tensor<64xi32>) outs(%e : tensor<64xi32>) -> tensor<64xi32>
  %u = lie.update %s, %a : tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>
  %v = lie.update %u, %s {hides_writes = array<i64: 0>} : tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>
  %w = lie.update %v, %s {hides_aliases} : tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>
  bufferization.materialize_in_destination %u in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  bufferization.materialize_in_destination %v in restrict writable %out2 : (tensor<64xi32>, memref<64xi32>) -> ()
  bufferization.materialize_in_destination %w in restrict writable %out3 : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
