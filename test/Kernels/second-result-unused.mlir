// RUN: %python %S/run.py %s
// Cases S1, S11: nobody reads the second result, whose init is a read-only
// argument: no copy of it, no global allocation, and it stays as it is.
// EXPECT workgroup_bytes=0 private_bytes<=20 barriers=0
// RESULT a2 = a0 - 2
#id = affine_map<(d0) -> (d0)>
func.func @second_result_unused(%x: memref<33x5xf32>, %b: memref<33x5xf32>, %out: memref<33x5xf32>)
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
      %q = arith.mulf %a, %a : f32
      linalg.yield %p, %q : f32, f32
    } -> (tensor<5xf32>, tensor<5xf32>)
    %fin = linalg.copy ins(%res#0 : tensor<5xf32>) outs(%oi : tensor<5xf32>) -> tensor<5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %fin into %o[%i, 0] [1, 5] [1, 1] : tensor<5xf32> into tensor<33x5xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<33x5xf32>, memref<33x5xf32>) -> ()
  return
}
