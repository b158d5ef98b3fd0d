// RUN: %python %S/run.py %s
// Several rows of at most 200 elements, how many the kernel is told.
// EXPECT gfx942: workgroup_bytes=0 private_bytes=0 barriers=0
// EXPECT sm_90: workgroup_bytes=1024
// DIM 100
// RESULT a1 = np.sort(a0, axis=1)
func.func @sort_bounded_rows(%x: memref<8x?xf32>, %y: memref<8x?xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c200 = arith.constant 200 : index
  %d = memref.dim %x, %c1 : memref<8x?xf32>
  %n = arith.minsi %d, %c200 : index
  %t = bufferization.to_tensor %x restrict : memref<8x?xf32> to tensor<8x?xf32>
  %o = bufferization.to_tensor %y restrict writable : memref<8x?xf32> to tensor<8x?xf32>
  %a = tensor.extract_slice %t[0, 0] [8, %n] [1, 1] : tensor<8x?xf32> to tensor<8x?xf32>
  %b = tensor.extract_slice %o[0, 0] [8, %n] [1, 1] : tensor<8x?xf32> to tensor<8x?xf32>
  %r = memspace.sort dimension(1) ins(%a : tensor<8x?xf32>) outs(%b : tensor<8x?xf32>) {
  ^bb0(%l: f32, %m: f32):
    %first = arith.cmpf olt, %l, %m : f32
    memspace.yield %first : i1
  } -> tensor<8x?xf32>
  %i = tensor.insert_slice %r into %o[0, 0] [8, %n] [1, 1] : tensor<8x?xf32> into tensor<8x?xf32>
  bufferization.materialize_in_destination %i in restrict writable %y : (tensor<8x?xf32>, memref<8x?xf32>) -> ()
  return
}
