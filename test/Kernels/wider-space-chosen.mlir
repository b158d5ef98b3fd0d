// RUN: %python %S/run.py %s
// What a branch or a select chooses is in workgroup memory on both paths, since
// the input says so of one.
// EXPECT workgroup_bytes<=256
// SEQUENTIAL no: stock MLIR leaves the space
// RESULT a1 = a0 * 2 * (1 if a0[0] < 0 else -1)
func.func @wider_space_chosen(%arg0: memref<16xf32>, %arg1: memref<16xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %0 = bufferization.to_tensor %arg0 restrict : memref<16xf32> to tensor<16xf32>
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %1 = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %2 = linalg.add ins(%0, %0 : tensor<16xf32>, tensor<16xf32>) outs(%1 : tensor<16xf32>) -> tensor<16xf32>
  %3 = linalg.fill ins(%f : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %x = tensor.extract %0[%c0] : tensor<16xf32>
  %b = arith.cmpf olt, %x, %f : f32
  %r = scf.if %b -> (tensor<16xf32>) { scf.yield %2 : tensor<16xf32> } else { scf.yield %3 : tensor<16xf32> }
  %s = arith.select %b, %3, %2 : tensor<16xf32>
  %4 = linalg.sub ins(%r, %s : tensor<16xf32>, tensor<16xf32>) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  bufferization.materialize_in_destination %4 in restrict writable %arg1 : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}
