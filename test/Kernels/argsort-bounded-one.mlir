// RUN: %python %S/run.py %s
// The order of the first 1 of at most 200 elements; the rest of the output stays.
// EXPECT gfx942: workgroup_bytes=0 barriers=0 subgroup_barriers=0
// EXPECT sm_90: workgroup_bytes=1024 barriers<=5
// INPUT a0 = np.random.default_rng(9).integers(0, 20, 256).astype(np.int32)
// INPUT a1 = np.array([1], dtype=np.int32)
// INPUT a2 = np.full(200, -1, dtype=np.int32)
// RESULT a2 = np.concatenate([np.argsort(a0[:1], kind='stable'), a2[1:]])
func.func @argsort_bounded_one(%x: memref<256xi32>, %len: memref<1xi32>, %i: memref<200xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c200 = arith.constant 200 : index
  %t = bufferization.to_tensor %x restrict : memref<256xi32> to tensor<256xi32>
  %o = bufferization.to_tensor %i restrict writable : memref<200xi32> to tensor<200xi32>
  %n0 = memref.load %len[%c0] : memref<1xi32>
  %n1 = arith.index_castui %n0 : i32 to index
  %n = arith.minui %n1, %c200 : index
  %row = tensor.extract_slice %t[0] [%n] [1] : tensor<256xi32> to tensor<?xi32>
  %out = tensor.extract_slice %o[0] [%n] [1] : tensor<200xi32> to tensor<?xi32>
  %s = memspace.sort_indices dimension(0) stable ins(%row : tensor<?xi32>) outs(%out : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  } -> tensor<?xi32>
  %r = tensor.insert_slice %s into %o[0] [%n] [1] : tensor<?xi32> into tensor<200xi32>
  bufferization.materialize_in_destination %r in restrict writable %i : (tensor<200xi32>, memref<200xi32>) -> ()
  return
}
