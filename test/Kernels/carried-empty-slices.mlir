// RUN: %python %S/run.py %s
// Two slots begin with slices that overlap, of one tensor without contents.
// EXPECT workgroup_bytes=0 private_bytes<=24 barriers=0
// RESULT a1 = np.array([3, 4, 1, 2], np.int32)
// SEQUENTIAL no: One-Shot gives two slots of the loop overlapping buffers
func.func @carried_empty_slices(%n: index, %out: memref<4xi32>)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v1 = arith.constant 1 : i32
  %v2 = arith.constant 2 : i32
  %v3 = arith.constant 3 : i32
  %v4 = arith.constant 4 : i32
  %e = tensor.empty() : tensor<3xi32>
  %a = tensor.extract_slice %e[0] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %b = tensor.extract_slice %e[1] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %f:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (tensor<2xi32>, tensor<2xi32>) {
    %x1 = tensor.insert %v1 into %x[%c0] : tensor<2xi32>
    %x2 = tensor.insert %v2 into %x1[%c1] : tensor<2xi32>
    %y1 = tensor.insert %v3 into %y[%c0] : tensor<2xi32>
    %y2 = tensor.insert %v4 into %y1[%c1] : tensor<2xi32>
    scf.yield %y2, %x2 : tensor<2xi32>, tensor<2xi32>
  }
  %o = bufferization.to_tensor %out restrict writable : memref<4xi32> to tensor<4xi32>
  %r0 = tensor.insert_slice %f#0 into %o[0] [2] [1] : tensor<2xi32> into tensor<4xi32>
  %r1 = tensor.insert_slice %f#1 into %r0[2] [2] [1] : tensor<2xi32> into tensor<4xi32>
  bufferization.materialize_in_destination %r1 in restrict writable %out : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}
