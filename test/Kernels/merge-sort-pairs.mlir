// RUN: %python %S/run.py %s
// A comparator of integers is an order: 250 threads sort 4 elements each, and 8 rounds merge
// what they have, from one tile to another one. A stable sort needs no positions.
// EXPECT workgroup_bytes=16000 private_bytes=0 barriers=4 subgroup_barriers=0 executed=8
// INPUT a0 = np.random.default_rng(5).integers(-40, 40, 1000).astype(np.int32)
// INPUT a1 = np.arange(1000)
// RESULT a2 = np.sort(a0)[::-1]
// RESULT a3 = np.argsort(-a0, kind='stable')
// OPTIONS may-hazards=error
func.func @merge_sort_pairs(%key: memref<1000xi32>, %pay: memref<1000xf32>, %out: memref<1000xi32>, %perm: memref<1000xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %kt = bufferization.to_tensor %key restrict : memref<1000xi32> to tensor<1000xi32>
  %pt = bufferization.to_tensor %pay restrict : memref<1000xf32> to tensor<1000xf32>
  %ke = tensor.empty() : tensor<1000xi32>
  %pe = tensor.empty() : tensor<1000xf32>
  %s:2 = memspace.sort dimension(0) stable
      ins(%kt, %pt : tensor<1000xi32>, tensor<1000xf32>)
      outs(%ke, %pe : tensor<1000xi32>, tensor<1000xf32>) {
  ^bb0(%a: i32, %b: i32, %i: f32, %j: f32):
    %before = arith.cmpi sgt, %a, %b : i32
    memspace.yield %before : i1
  } -> tensor<1000xi32>, tensor<1000xf32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<1000xi32>, memref<1000xi32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %perm : (tensor<1000xf32>, memref<1000xf32>) -> ()
  return
}
