// RUN: %python %S/run.py %s
// A tile is inserted into one output while a branch makes the tile of the other
// output out of it, in place: what is inserted is the tile as it was. One-Shot
// takes an insertion into the place where a tile comes from for no read of it.
// EXPECT workgroup_bytes=0 barriers=0
// SEQUENTIAL no: stock One-Shot updates the tile that is inserted
// RESULT a2 = a0
// RESULT a3 = np.where(np.repeat(a0[::2], 2) > 0.5, a1, 2 * a1)
func.func @insert_updated_elsewhere(%x: memref<16xf32>, %y: memref<16xf32>, %keep: memref<16xf32>, %out: memref<16xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %half = arith.constant 0.5 : f32
  %xt = bufferization.to_tensor %x restrict : memref<16xf32> to tensor<16xf32>
  %yt = bufferization.to_tensor %y restrict : memref<16xf32> to tensor<16xf32>
  %kt = bufferization.to_tensor %keep restrict writable : memref<16xf32> to tensor<16xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<16xf32> to tensor<16xf32>
  %r:2 = scf.forall (%i) in (8) shared_outs(%k = %kt, %o = %ot) -> (tensor<16xf32>, tensor<16xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %xs = tensor.extract_slice %xt[%at] [2] [1] : tensor<16xf32> to tensor<2xf32>
    %ys = tensor.extract_slice %yt[%at] [2] [1] : tensor<16xf32> to tensor<2xf32>
    %empty = tensor.empty() : tensor<2xf32>
    %a = linalg.copy ins(%xs : tensor<2xf32>) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
    %e = tensor.extract %xt[%at] : tensor<16xf32>
    %c = arith.cmpf ogt, %e, %half : f32
    %b = scf.if %c -> (tensor<2xf32>) {
      %u = linalg.copy ins(%ys : tensor<2xf32>) outs(%a : tensor<2xf32>) -> tensor<2xf32>
      scf.yield %u : tensor<2xf32>
    } else {
      %u = linalg.add ins(%ys, %ys : tensor<2xf32>, tensor<2xf32>) outs(%a : tensor<2xf32>) -> tensor<2xf32>
      scf.yield %u : tensor<2xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%at] [2] [1] : tensor<2xf32> into tensor<16xf32>
      tensor.parallel_insert_slice %a into %k[%at] [2] [1] : tensor<2xf32> into tensor<16xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r#0 in restrict writable %keep : (tensor<16xf32>, memref<16xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %out : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}
