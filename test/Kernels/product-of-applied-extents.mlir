// RUN: %python %S/run.py %s
// Two extents made by affine.apply: no map multiplies what they are made of.
// EXPECT workgroup_bytes=0
// RESULT a0 = np.where((np.arange(8)[:, None] < 6) & (np.arange(8)[None, :] < 6), 1, a0)
func.func @kernel(%out: memref<8x8xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %cst = arith.constant 1.0 : f32
  %e = bufferization.to_tensor %out restrict writable : memref<8x8xf32> to tensor<8x8xf32>
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %e) -> (tensor<8x8xf32>) {
    %q = scf.for %j = %c0 to %c5 step %c1 iter_args(%b = %a) -> (tensor<8x8xf32>) {
      %m = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
      %n2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%j)
      %s = tensor.extract_slice %b[0, 0] [%m, %n2] [1, 1] : tensor<8x8xf32> to tensor<?x?xf32>
      %f = linalg.fill ins(%cst : f32) outs(%s : tensor<?x?xf32>) -> tensor<?x?xf32>
      %t = tensor.insert_slice %f into %b[0, 0] [%m, %n2] [1, 1] : tensor<?x?xf32> into tensor<8x8xf32>
      scf.yield %t : tensor<8x8xf32>
    }
    scf.yield %q : tensor<8x8xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}
