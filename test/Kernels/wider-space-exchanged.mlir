// RUN: %python %S/run.py %s
// One of two tensors that change places in a loop is in workgroup memory, since
// the input says so: then the other one is, too.
// EXPECT workgroup_bytes=128
// SEQUENTIAL no: stock MLIR leaves the space
// RESULT a1 = ((a0 + a0 + 3) + (a0 + a0)) + (a0 + a0 + 3)
func.func @wider_space_exchanged(%arg0: memref<16xf32>, %arg1: memref<16xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %0 = bufferization.to_tensor %arg0 restrict : memref<16xf32> to tensor<16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f = arith.constant 3.0 : f32
  %1 = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %2 = linalg.add ins(%0, %0 : tensor<16xf32>, tensor<16xf32>) outs(%1 : tensor<16xf32>) -> tensor<16xf32>
  %3 = linalg.fill ins(%f : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %2, %b = %3) -> (tensor<16xf32>, tensor<16xf32>) {
    %4 = linalg.add ins(%a, %b : tensor<16xf32>, tensor<16xf32>) outs(%b : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %4, %a : tensor<16xf32>, tensor<16xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %arg1 : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}
