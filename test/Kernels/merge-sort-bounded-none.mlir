// RUN: %python %S/run.py %s
// Of at most 1000 pairs the first 0 are sorted, in place; the rest stays.
// EXPECT workgroup_bytes=16000 private_bytes=0 barriers=3 executed<=7
// INPUT a0 = np.random.default_rng(9).integers(0, 200, 1000)
// INPUT a1 = np.arange(1000)
// INPUT a2 = np.array([0], dtype=np.int32)
// RESULT a0 = np.concatenate([np.sort(a0[:0]), a0[0:]])
// RESULT a1 = np.concatenate([np.argsort(a0[:0], kind='stable'), a1[0:]])
// OPTIONS may-hazards=error
// BLOCKS refused: the promise of a loop is lost with the loop
func.func @merge_sort_bounded_none(%x: memref<1000xi32>, %y: memref<1000xi32>, %len: memref<1xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1000 = arith.constant 1000 : index
  %xt = bufferization.to_tensor %x restrict writable : memref<1000xi32> to tensor<1000xi32>
  %yt = bufferization.to_tensor %y restrict writable : memref<1000xi32> to tensor<1000xi32>
  %n0 = memref.load %len[%c0] : memref<1xi32>
  %n1 = arith.index_castui %n0 : i32 to index
  %n = arith.minui %n1, %c1000 : index
  %xs = tensor.extract_slice %xt[0] [%n] [1] : tensor<1000xi32> to tensor<?xi32>
  %ys = tensor.extract_slice %yt[0] [%n] [1] : tensor<1000xi32> to tensor<?xi32>
  %s:2 = memspace.sort dimension(0) stable ins(%xs, %ys : tensor<?xi32>, tensor<?xi32>) outs(%xs, %ys : tensor<?xi32>, tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32, %i: i32, %j: i32):
    %first = arith.cmpi ult, %a, %b : i32
    memspace.yield %first : i1
  } -> tensor<?xi32>, tensor<?xi32>
  %xr = tensor.insert_slice %s#0 into %xt[0] [%n] [1] : tensor<?xi32> into tensor<1000xi32>
  %yr = tensor.insert_slice %s#1 into %yt[0] [%n] [1] : tensor<?xi32> into tensor<1000xi32>
  bufferization.materialize_in_destination %xr in restrict writable %x : (tensor<1000xi32>, memref<1000xi32>) -> ()
  bufferization.materialize_in_destination %yr in restrict writable %y : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}
