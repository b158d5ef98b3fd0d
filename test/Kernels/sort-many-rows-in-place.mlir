// RUN: %python %S/run.py %s
// A tensor is sorted into itself. A loop takes the rows, each of which is read where it
// is written: there is no copy of the tensor from before the loop.
// EXPECT gfx942: workgroup_bytes=0 private_bytes=0 barriers=0
// EXPECT sm_90: workgroup_bytes=4096
// RESULT a0 = np.sort(a0, axis=1)
func.func @sort_many_rows_in_place(%x: memref<64x1000xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict writable : memref<64x1000xf32> to tensor<64x1000xf32>
  %r = memspace.sort dimension(1) ins(%t : tensor<64x1000xf32>) outs(%t : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf olt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<64x1000xf32>
  bufferization.materialize_in_destination %r in restrict writable %x : (tensor<64x1000xf32>, memref<64x1000xf32>) -> ()
  return
}
