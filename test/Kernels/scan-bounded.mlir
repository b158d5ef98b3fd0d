// RUN: %python %S/run.py %s
// A row of at most 300 elements, of which the kernel is told that there are 170: chunks
// behind the end are empty.
// EXPECT gfx942: workgroup_bytes<=8 barriers<=1
// EXPECT sm_90: workgroup_bytes<=16 barriers<=1
// INPUT a1 = np.array([170])
// INPUT a2 = np.full(300, -1)
// RESULT a2 = np.concatenate([np.cumsum(a0[:170]), a2[170:]])
func.func @scan_bounded(%x: memref<300xi32>, %len: memref<1xi32>, %y: memref<300xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c300 = arith.constant 300 : index
  %t = bufferization.to_tensor %x restrict : memref<300xi32> to tensor<300xi32>
  %o = bufferization.to_tensor %y restrict writable : memref<300xi32> to tensor<300xi32>
  %l = memref.load %len[%c0] : memref<1xi32>
  %i = arith.index_castui %l : i32 to index
  %n = arith.minui %i, %c300 : index
  %a = tensor.extract_slice %t[0] [%n] [1] : tensor<300xi32> to tensor<?xi32>
  %b = tensor.extract_slice %o[0] [%n] [1] : tensor<300xi32> to tensor<?xi32>
  %s = memspace.scan dimension(0) ins(%a : tensor<?xi32>) outs(%b : tensor<?xi32>) {
  ^bb0(%u: i32, %v: i32):
    %w = arith.addi %u, %v : i32
    memspace.yield %w : i32
  } -> tensor<?xi32>
  %r = tensor.insert_slice %s into %o[0] [%n] [1] : tensor<?xi32> into tensor<300xi32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<300xi32>, memref<300xi32>) -> ()
  return
}
