// RUN: %python %S/run.py %s
// Rows of 5 have no 8 first elements: the rest of the outputs keeps what it had.
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0
// INPUT a0 = np.array([[3, 1, 2, 5, 4], [9, 9, 8, 9, 8]], dtype=np.int32)
// INPUT a1 = np.full((2, 8), -7, dtype=np.int32)
// RESULT a1 = np.concatenate([np.sort(a0, axis=1), a1[:, 5:]], axis=1)
func.func @topk_more_than_there_are(%x: memref<2x5xi32>, %v: memref<2x8xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<2x5xi32> to tensor<2x5xi32>
  %o = bufferization.to_tensor %v restrict writable : memref<2x8xi32> to tensor<2x8xi32>
  %r = memspace.topk dimension(1) ins(%t : tensor<2x5xi32>) values(%o : tensor<2x8xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  } -> tensor<2x8xi32>
  bufferization.materialize_in_destination %r in restrict writable %v : (tensor<2x8xi32>, memref<2x8xi32>) -> ()
  return
}
