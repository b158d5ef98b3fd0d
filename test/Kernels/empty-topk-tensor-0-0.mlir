// RUN: %python %S/run.py %s
// Nothing to do: the output stays as it is.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// INPUT a1 = np.full((3,),7)
// RESULT a1 = a1
func.func @empty_topk_tensor_0_0(%a0: memref<0xi32>, %a1: memref<3xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %a0 restrict : memref<0xi32> to tensor<0xi32>
  %o = bufferization.to_tensor %a1 restrict writable : memref<3xi32> to tensor<3xi32>
  %r = memspace.topk dimension(0) ins(%t : tensor<0xi32>) values(%o : tensor<3xi32>) {
  ^bb0(%x: i32, %y: i32):
  %f = arith.cmpi slt, %x, %y : i32
  memspace.yield %f : i1
  } -> tensor<3xi32>
  bufferization.materialize_in_destination %r in restrict writable %a1 : (tensor<3xi32>, memref<3xi32>) -> ()
  return
}
