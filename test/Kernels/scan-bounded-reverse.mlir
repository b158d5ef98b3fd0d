// RUN: %python %S/run.py %s
// From the end of rows that are not as long as they may be, in place, with totals that are
// shared in memory: 96 threads are no whole subgroups of gfx942.
// EXPECT workgroup_bytes<=1024 barriers<=8
// DIM 77
// RESULT a0 = np.flip(np.cumsum(np.flip(np.concatenate([a0, np.full((2, 1), 3, np.int32)], axis=1), 1), axis=1), 1)[:, 1:]
func.func @scan_bounded_reverse(%x: memref<2x?xi32>)
    attributes {gpu.known_block_size = array<i32: 96, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c500 = arith.constant 500 : index
  %three = arith.constant 3 : i32
  %d = memref.dim %x, %c1 : memref<2x?xi32>
  %n = arith.minsi %d, %c500 : index
  %t = bufferization.to_tensor %x restrict writable : memref<2x?xi32> to tensor<2x?xi32>
  %a = tensor.extract_slice %t[0, 0] [2, %n] [1, 1] : tensor<2x?xi32> to tensor<2x?xi32>
  %s = memspace.scan dimension(1) exclusive reverse ins(%a : tensor<2x?xi32>) initial(%three : i32) outs(%a : tensor<2x?xi32>) {
  ^bb0(%u: i32, %v: i32):
    %w = arith.addi %u, %v : i32
    memspace.yield %w : i32
  } -> tensor<2x?xi32>
  %r = tensor.insert_slice %s into %t[0, 0] [2, %n] [1, 1] : tensor<2x?xi32> into tensor<2x?xi32>
  bufferization.materialize_in_destination %r in restrict writable %x : (tensor<2x?xi32>, memref<2x?xi32>) -> ()
  return
}
