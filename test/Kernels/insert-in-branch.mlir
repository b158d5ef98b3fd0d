// RUN: %python %S/run.py %s
// A part is made in front of a branch that puts it into a tile, which the other
// branch yields as it is: the copy is made in the branch.
// EXPECT workgroup_bytes<=512 executed<=3
// INPUT a2 = np.array([1], np.int8).astype(bool)
// RESULT a1 = np.concatenate([a0[32:] * 3, a0[32:] * 2])[::-1]
func.func @insert_in_branch(%x: memref<64xi32>, %out: memref<64xi32>, %c: memref<1xi1>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i3 = arith.constant 3 : i32
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %ct = bufferization.to_tensor %c restrict : memref<1xi1> to tensor<1xi1>
  %put = tensor.extract %ct[%c0] : tensor<1xi1>
  %e = tensor.empty() : tensor<64xi32>
  %t = linalg.add ins(%xt, %xt : tensor<64xi32>, tensor<64xi32>) outs(%e : tensor<64xi32>) -> tensor<64xi32>
  %h = tensor.extract_slice %xt[32] [32] [1] : tensor<64xi32> to tensor<32xi32>
  %g = tensor.extract_slice %t[0] [32] [1] : tensor<64xi32> to tensor<32xi32>
  %p = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%h : tensor<32xi32>) outs(%g : tensor<32xi32>) {
  ^bb0(%v: i32, %o: i32):
    %w = arith.muli %v, %i3 : i32
    linalg.yield %w : i32
  } -> tensor<32xi32>
  %s = scf.if %put -> (tensor<64xi32>) {
    %i = tensor.insert_slice %p into %t[0] [32] [1] : tensor<32xi32> into tensor<64xi32>
    scf.yield %i : tensor<64xi32>
  } else {
    scf.yield %t : tensor<64xi32>
  }
  %f = tensor.empty() : tensor<64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s : tensor<64xi32>) outs(%f : tensor<64xi32>) {
  ^bb0(%v: i32, %o: i32):
    linalg.yield %v : i32
  } -> tensor<64xi32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
