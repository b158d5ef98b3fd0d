// RUN: %python %S/run.py %s
// Comparators that are no strict weak order, 'olt' with not-a-number and one that says
// yes to all, still permute: sorted again, the positions are all there.
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// INPUT a0 = np.where(np.arange(100) % 3 == 0, np.nan, np.random.default_rng(1).permutation(100)).astype(np.float32)
// RESULT a1 = np.arange(100)
// RESULT a2 = np.arange(100)
func.func @sort_no_order(%in: memref<100xf32>, %p: memref<100xi32>, %q: memref<100xindex>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<100xf32> to tensor<100xf32>
  %e = tensor.empty() : tensor<100xi32>
  %f = tensor.empty() : tensor<100xindex>
  %i = memspace.sort_indices dimension(0) ins(%t : tensor<100xf32>) outs(%e : tensor<100xi32>) {
  ^bb0(%a: f32, %b: f32):
    %before = arith.cmpf olt, %a, %b : f32
    memspace.yield %before : i1
  } -> tensor<100xi32>
  %j = memspace.sort_indices dimension(0) ins(%t : tensor<100xf32>) outs(%f : tensor<100xindex>) {
  ^bb0(%a: f32, %b: f32):
    %true = arith.constant true
    memspace.yield %true : i1
  } -> tensor<100xindex>
  %r = memspace.sort dimension(0) ins(%i : tensor<100xi32>) outs(%i : tensor<100xi32>) {
  ^bb0(%a: i32, %b: i32):
    %before = arith.cmpi slt, %a, %b : i32
    memspace.yield %before : i1
  } -> tensor<100xi32>
  %s = memspace.sort dimension(0) ins(%j : tensor<100xindex>) outs(%j : tensor<100xindex>) {
  ^bb0(%a: index, %b: index):
    %before = arith.cmpi slt, %a, %b : index
    memspace.yield %before : i1
  } -> tensor<100xindex>
  bufferization.materialize_in_destination %r in restrict writable %p : (tensor<100xi32>, memref<100xi32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %q : (tensor<100xindex>, memref<100xindex>) -> ()
  return
}
