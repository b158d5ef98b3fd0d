// RUN: %python %S/run.py %s
// As many rows as the kernel is told, of which there are none.
// EXPECT workgroup_bytes<=128
// INPUT a1 = np.array([0])
// INPUT a2 = np.full((6,20), -7)
// RESULT a2 = a2
func.func @sort_rows_none(%x: memref<6x20xi32>, %n: memref<1xi32>, %y: memref<6x20xi32>)
    attributes {gpu.known_block_size = array<i32: 200, 1, 1>} {
  %c0 = arith.constant 0 : index
  %most = arith.constant 6 : index
  %l = memref.load %n[%c0] : memref<1xi32>
  %u = arith.index_castui %l : i32 to index
  %m = arith.minui %u, %most : index
  %xt = bufferization.to_tensor %x restrict : memref<6x20xi32> to tensor<6x20xi32>
  %yt = bufferization.to_tensor %y restrict writable : memref<6x20xi32> to tensor<6x20xi32>
  %xs = tensor.extract_slice %xt[0, 0] [%m, 20] [1, 1] : tensor<6x20xi32> to tensor<?x20xi32>
  %ys = tensor.extract_slice %yt[0, 0] [%m, 20] [1, 1] : tensor<6x20xi32> to tensor<?x20xi32>
  %r = memspace.sort dimension(1) ins(%xs : tensor<?x20xi32>) outs(%ys : tensor<?x20xi32>) {
 ^bb0(%a: i32, %b: i32):
 %c = arith.cmpi slt, %a, %b : i32
 memspace.yield %c : i1
 } -> tensor<?x20xi32>
  %z = tensor.insert_slice %r into %yt[0, 0] [%m, 20] [1, 1] : tensor<?x20xi32> into tensor<6x20xi32>
  bufferization.materialize_in_destination %z in restrict writable %y : (tensor<6x20xi32>, memref<6x20xi32>) -> ()
  return
}
