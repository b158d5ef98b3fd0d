// RUN: %python %S/run.py %s
// As many as there are, at most 100: of the first n elements of a buffer.
// EXPECT gfx942: workgroup_bytes=0 barriers=0 subgroup_barriers=0
// EXPECT sm_90: workgroup_bytes=1024 barriers<=11
// INPUT a0 = np.random.default_rng(9).integers(0, 20, 128).astype(np.float32)
// INPUT a1 = np.array([77], dtype=np.int32)
// INPUT a2 = np.full(10, -1, dtype=np.int32)
// RESULT a2 = np.argsort(-a0[:77], kind='stable')[:10]
func.func @topk_bounded(%x: memref<128xf32>, %len: memref<1xi32>, %i: memref<10xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %t = bufferization.to_tensor %x restrict : memref<128xf32> to tensor<128xf32>
  %o = bufferization.to_tensor %i restrict writable : memref<10xi32> to tensor<10xi32>
  %n0 = memref.load %len[%c0] : memref<1xi32>
  %n1 = arith.index_castui %n0 : i32 to index
  %n = arith.minui %n1, %c100 : index
  %row = tensor.extract_slice %t[0] [%n] [1] : tensor<128xf32> to tensor<?xf32>
  %r = memspace.topk dimension(0) ins(%row : tensor<?xf32>) indices(%o : tensor<10xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<10xi32>
  bufferization.materialize_in_destination %r in restrict writable %i : (tensor<10xi32>, memref<10xi32>) -> ()
  return
}
