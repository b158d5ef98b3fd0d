// RUN: %python %S/run.py %s
// Nothing to do: the output stays as it is.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// INPUT a2 = np.full((0,),7)
// RESULT a2 = a2
func.func @empty_scatter_tensor_0_4(%a0: memref<4xi32>, %a1: memref<4x1xi32>, %a2: memref<0xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %a0 restrict : memref<4xi32> to tensor<4xi32>
  %i = bufferization.to_tensor %a1 restrict : memref<4x1xi32> to tensor<4x1xi32>
  %o = bufferization.to_tensor %a2 restrict writable : memref<0xi32> to tensor<0xi32>
  %r = memspace.scatter scatter_dims([0]) ins(%t, %i : tensor<4xi32>, tensor<4x1xi32>) outs(%o : tensor<0xi32>) {
  ^bb0(%x: i32, %y: i32):
  %f = arith.addi %x, %y : i32
  memspace.yield %f : i32
  } -> tensor<0xi32>
  bufferization.materialize_in_destination %r in restrict writable %a2 : (tensor<0xi32>, memref<0xi32>) -> ()
  return
}
