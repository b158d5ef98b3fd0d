// RUN: %python %S/run.py %s
// A stable sort of few different keys, in place. It waits for those who mirror the old
// keys, and for nobody else.
// EXPECT workgroup_bytes=0 barriers=1 subgroup_barriers=0 executed=1
// INPUT a0 = np.random.default_rng(1).integers(0, 5, 128).astype(np.int32)
// INPUT a1 = np.arange(128).astype(np.int32)
// RESULT a0 = np.sort(a0)
// RESULT a1 = np.argsort(a0, kind='stable')
// RESULT a2 = a0[::-1]
func.func @sort_stable(%key: memref<128xi32>, %pay: memref<128xi32>, %old: memref<128xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %k = bufferization.to_tensor %key restrict writable : memref<128xi32> to tensor<128xi32>
  %p = bufferization.to_tensor %pay restrict writable : memref<128xi32> to tensor<128xi32>
  %e = tensor.empty() : tensor<128xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<128xi32>) {
  ^bb0(%o: i32):
    %c127 = arith.constant 127 : index
    %i = linalg.index 0 : index
    %m = arith.subi %c127, %i : index
    %v = tensor.extract %k[%m] : tensor<128xi32>
    linalg.yield %v : i32
  } -> tensor<128xi32>
  %s:2 = memspace.sort dimension(0) stable ins(%k, %p : tensor<128xi32>, tensor<128xi32>) outs(%k, %p : tensor<128xi32>, tensor<128xi32>) {
  ^bb0(%a: i32, %b: i32, %i: i32, %j: i32):
    %before = arith.cmpi slt, %a, %b : i32
    memspace.yield %before : i1
  } -> tensor<128xi32>, tensor<128xi32>
  bufferization.materialize_in_destination %s#0 in restrict writable %key : (tensor<128xi32>, memref<128xi32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %pay : (tensor<128xi32>, memref<128xi32>) -> ()
  bufferization.materialize_in_destination %r in restrict writable %old : (tensor<128xi32>, memref<128xi32>) -> ()
  return
}
