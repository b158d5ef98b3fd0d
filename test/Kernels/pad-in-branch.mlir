// RUN: %python %S/run.py %s
// The tile at the edge is padded, the others are slices: a branch chooses
// between what is made anew and what is not.
// EXPECT workgroup_bytes=512 private_bytes=0 executed=2
// INPUT a2 = np.array([1, 0], np.int8).astype(bool)
// RESULT a1 = np.concatenate([np.full(16, 7), a0[:32], np.full(16, 7)])[::-1]
func.func @pad_in_branch(%x: memref<64xi32>, %out: memref<64xi32>, %c: memref<2xi1>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i7 = arith.constant 7 : i32
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %ct = bufferization.to_tensor %c restrict : memref<2xi1> to tensor<2xi1>
  %edge = tensor.extract %ct[%c0] : tensor<2xi1>
  %tile = scf.if %edge -> (tensor<64xi32>) {
    %h = tensor.extract_slice %xt[0] [32] [1] : tensor<64xi32> to tensor<32xi32>
    %p = tensor.pad %h low[16] high[16] {
    ^bb0(%i: index):
      tensor.yield %i7 : i32
    } : tensor<32xi32> to tensor<64xi32>
    scf.yield %p : tensor<64xi32>
  } else {
    scf.yield %xt : tensor<64xi32>
  }
  %e = tensor.empty() : tensor<64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%tile : tensor<64xi32>) outs(%e : tensor<64xi32>) {
  ^bb0(%v: i32, %o: i32):
    linalg.yield %v : i32
  } -> tensor<64xi32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
