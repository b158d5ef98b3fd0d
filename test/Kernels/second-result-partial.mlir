// RUN: %python %S/run.py %s
// Case S11: the second result keeps its init, a read-only argument, where the
// payload says so: a private buffer with a copy-in (or the init as an input).
// EXPECT workgroup_bytes=0 private_bytes<=20 barriers=0
// RESULT a2 = (a0 - 2) * np.where(a0 > 0, a0 * a0, a1)
#id = affine_map<(d0) -> (d0)>
func.func @second_result_partial(%x: memref<33x5xf32>, %b: memref<33x5xf32>, %out: memref<33x5xf32>)
    attributes {gpu.known_block_size = array<i32: 33, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<33x5xf32> to tensor<33x5xf32>
  %bt = bufferization.to_tensor %b restrict : memref<33x5xf32> to tensor<33x5xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<33x5xf32> to tensor<33x5xf32>
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %r = scf.forall (%i) in (33) shared_outs(%o = %ot) -> (tensor<33x5xf32>) {
    %row = tensor.extract_slice %xt[%i, 0] [1, 5] [1, 1] : tensor<33x5xf32> to tensor<5xf32>
    %bi = tensor.extract_slice %bt[%i, 0] [1, 5] [1, 1] : tensor<33x5xf32> to tensor<5xf32>
    %oi = tensor.extract_slice %o[%i, 0] [1, 5] [1, 1] : tensor<33x5xf32> to tensor<5xf32>
    %res:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%row : tensor<5xf32>) outs(%oi, %bi : tensor<5xf32>, tensor<5xf32>) {
    ^bb0(%a: f32, %c: f32, %d: f32):
      %p = arith.subf %a, %two : f32
      %sq = arith.mulf %a, %a : f32
      %pos = arith.cmpf ogt, %a, %zero : f32
      %q = arith.select %pos, %sq, %d : f32
      linalg.yield %p, %q : f32, f32
    } -> (tensor<5xf32>, tensor<5xf32>)
    %fin = linalg.mul ins(%res#0, %res#1 : tensor<5xf32>, tensor<5xf32>) outs(%oi : tensor<5xf32>) -> tensor<5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %fin into %o[%i, 0] [1, 5] [1, 1] : tensor<5xf32> into tensor<33x5xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<33x5xf32>, memref<33x5xf32>) -> ()
  return
}
