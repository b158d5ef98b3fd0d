// RUN: %python %S/run.py %s
// Nothing to do: the output stays as it is.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// INPUT a1 = np.full((2, 0, 4),7)
// RESULT a1 = a1
func.func @empty_scan_tensor_2x0x4_2(%a0: memref<2x0x4xi32>, %a1: memref<2x0x4xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %a0 restrict : memref<2x0x4xi32> to tensor<2x0x4xi32>
  %o = bufferization.to_tensor %a1 restrict writable : memref<2x0x4xi32> to tensor<2x0x4xi32>
  %r = memspace.scan dimension(2) ins(%t : tensor<2x0x4xi32>) outs(%o : tensor<2x0x4xi32>) {
  ^bb0(%x: i32, %y: i32):
  %f = arith.addi %x, %y : i32
  memspace.yield %f : i32
  } -> tensor<2x0x4xi32>
  bufferization.materialize_in_destination %r in restrict writable %a1 : (tensor<2x0x4xi32>, memref<2x0x4xi32>) -> ()
  return
}
