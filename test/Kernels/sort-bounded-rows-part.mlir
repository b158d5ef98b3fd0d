// RUN: %python %S/run.py %s
// The first 200 elements of each row, by way of a tensor without contents.
// EXPECT gfx942: workgroup_bytes=0 private_bytes=0 barriers=0
// EXPECT sm_90: workgroup_bytes=1024
// DIM 300
// INPUT a1 = np.zeros((8, 300))
// RESULT a1 = np.concatenate([np.sort(a0[:, :200], axis=1), a1[:, 200:]], axis=1)
func.func @sort_bounded_rows_part(%x: memref<8x?xf32>, %y: memref<8x?xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c200 = arith.constant 200 : index
  %d = memref.dim %x, %c1 : memref<8x?xf32>
  %n = arith.minsi %d, %c200 : index
  %t = bufferization.to_tensor %x restrict : memref<8x?xf32> to tensor<8x?xf32>
  %e = tensor.empty(%n) : tensor<8x?xf32>
  %a = tensor.extract_slice %t[0, 0] [8, %n] [1, 1] : tensor<8x?xf32> to tensor<8x?xf32>
  %r = memspace.sort dimension(1) ins(%a : tensor<8x?xf32>) outs(%e : tensor<8x?xf32>) {
  ^bb0(%l: f32, %m: f32):
    %first = arith.cmpf olt, %l, %m : f32
    memspace.yield %first : i1
  } -> tensor<8x?xf32>
  %sv = memref.subview %y[0, 0] [8, %n] [1, 1] : memref<8x?xf32> to memref<8x?xf32, strided<[?, 1]>>
  bufferization.materialize_in_destination %r in restrict writable %sv : (tensor<8x?xf32>, memref<8x?xf32, strided<[?, 1]>>) -> ()
  return
}
