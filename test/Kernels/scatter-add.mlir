// RUN: %python %S/run.py %s
// Sums at repeated places, of sixteen bits: the index tensor of 196608 bytes is read where
// it is. The sums are of small integers, of which the order does not matter.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=1
// INPUT a0 = np.random.default_rng(7).integers(0, 4, 16384).astype(np.float16)
// INPUT a1 = np.random.default_rng(8).integers(0, [16, 32, 32], (16384, 3))
// RESULT a2 = np.bincount(a1 @ [1024, 32, 1], weights=a0.astype(np.float32), minlength=16384).reshape(16, 32, 32).astype(np.float16)
func.func @scatter_add(%in: memref<16384xf16>, %index: memref<16384x3xi32>, %out: memref<16x32x32xf16>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<16384xf16> to tensor<16384xf16>
  %i = bufferization.to_tensor %index restrict : memref<16384x3xi32> to tensor<16384x3xi32>
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16x32x32xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<16x32x32xf16>) -> tensor<16x32x32xf16>
  %s = memspace.scatter scatter_dims([0, 1, 2])
      ins(%u, %i : tensor<16384xf16>, tensor<16384x3xi32>) outs(%f : tensor<16x32x32xf16>) {
  ^bb0(%x: f16, %old: f16):
    %y = arith.addf %x, %old : f16
    memspace.yield %y : f16
  } -> tensor<16x32x32xf16>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<16x32x32xf16>, memref<16x32x32xf16>) -> ()
  return
}
