// RUN: %python %S/run.py %s
// EXPECT refused "'linalg.softmax' has no lowering to loops, and upstream decomposes it on tensors only; decompose it before bufferization"
// SEQUENTIAL no: upstream has no lowering of it
func.func @softmax(%a: memref<64x8xf32>, %b: memref<64x8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  linalg.softmax dimension(1) ins(%a : memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  return
}
