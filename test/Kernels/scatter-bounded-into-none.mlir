// RUN: %python %S/run.py %s
// An output of as many elements as the kernel is told, of which there are none: all updates are dropped.
// EXPECT workgroup_bytes=0 barriers=0
// INPUT a1 = np.array([0])
// INPUT a2 = np.zeros((20,1))
// INPUT a3 = np.full((9,), -7)
// RESULT a3 = a3
func.func @scatter_bounded_into_none(%x: memref<20xi32>, %n: memref<1xi32>, %i: memref<20x1xi32>, %y: memref<9xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %most = arith.constant 9 : index
  %l = memref.load %n[%c0] : memref<1xi32>
  %u = arith.index_castui %l : i32 to index
  %m = arith.minui %u, %most : index
  %xt = bufferization.to_tensor %x restrict : memref<20xi32> to tensor<20xi32>
  %it = bufferization.to_tensor %i restrict : memref<20x1xi32> to tensor<20x1xi32>
  %yt = bufferization.to_tensor %y restrict writable : memref<9xi32> to tensor<9xi32>
  %ys = tensor.extract_slice %yt[0] [%m] [1] : tensor<9xi32> to tensor<?xi32>
  %r = memspace.scatter scatter_dims([0]) ins(%xt, %it : tensor<20xi32>, tensor<20x1xi32>) outs(%ys : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    memspace.yield %c : i32
  } -> tensor<?xi32>
  %z = tensor.insert_slice %r into %yt[0] [%m] [1] : tensor<?xi32> into tensor<9xi32>
  bufferization.materialize_in_destination %z in restrict writable %y : (tensor<9xi32>, memref<9xi32>) -> ()
  return
}
