// RUN: %python %S/run.py %s
// Nothing to do: the output stays as it is.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// INPUT a2 = np.full((0, 2),7)
// RESULT a2 = a2
func.func @empty_gather_tensor_5x2_0x2(%a0: memref<5x2xi32>, %a1: memref<0x1xi32>, %a2: memref<0x2xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %a0 restrict : memref<5x2xi32> to tensor<5x2xi32>
  %i = bufferization.to_tensor %a1 restrict : memref<0x1xi32> to tensor<0x1xi32>
  %o = bufferization.to_tensor %a2 restrict writable : memref<0x2xi32> to tensor<0x2xi32>
  %r = memspace.gather gather_dims([0]) ins(%t, %i : tensor<5x2xi32>, tensor<0x1xi32>) outs(%o : tensor<0x2xi32>) -> tensor<0x2xi32>
  bufferization.materialize_in_destination %r in restrict writable %a2 : (tensor<0x2xi32>, memref<0x2xi32>) -> ()
  return
}
