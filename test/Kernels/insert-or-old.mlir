// RUN: %python %S/run.py %s
// The old tile is chosen, or one with a part put in. The insertion is out of
// place, and is copied once.
// EXPECT workgroup_bytes<=512 executed=1
// INPUT a2 = np.array([0, 1], np.int8).astype(bool)
// RESULT a1 = np.concatenate([a0[32:], a0[32:] * 2])[::-1]
func.func @insert_or_old(%x: memref<64xi32>, %out: memref<64xi32>, %c: memref<2xi1>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %ct = bufferization.to_tensor %c restrict : memref<2xi1> to tensor<2xi1>
  %old = tensor.extract %ct[%c0] : tensor<2xi1>
  %e = tensor.empty() : tensor<64xi32>
  %t = linalg.add ins(%xt, %xt : tensor<64xi32>, tensor<64xi32>) outs(%e : tensor<64xi32>) -> tensor<64xi32>
  %h = tensor.extract_slice %xt[32] [32] [1] : tensor<64xi32> to tensor<32xi32>
  %i = tensor.insert_slice %h into %t[0] [32] [1] : tensor<32xi32> into tensor<64xi32>
  %s = arith.select %old, %t, %i : tensor<64xi32>
  %f = tensor.empty() : tensor<64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s : tensor<64xi32>) outs(%f : tensor<64xi32>) {
  ^bb0(%v: i32, %o: i32):
    linalg.yield %v : i32
  } -> tensor<64xi32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
