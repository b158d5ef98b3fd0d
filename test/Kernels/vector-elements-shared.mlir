// RUN: %python %S/run.py %s
// Tiles of vectors that threads share; test/EndToEnd/vectors.test has the assembly.
// EXPECT workgroup_bytes=1024 barriers=1
// RESULT a1 = 2 * a0[::-1]
#id = affine_map<(d0) -> (d0)>
func.func @tv(%A: memref<64xvector<4xf32>>, %B: memref<64xvector<4xf32>>) attributes {gpu.known_block_size = array<i32: 64,1,1>, gpu.known_grid_size = array<i32: 1,1,1>} {
  %a = bufferization.to_tensor %A restrict : memref<64xvector<4xf32>> to tensor<64xvector<4xf32>>
  %e = tensor.empty() : tensor<64xvector<4xf32>>
  %c63 = arith.constant 63 : index
  %s = scf.forall (%t) in (64) shared_outs(%o = %e) -> (tensor<64xvector<4xf32>>) {
    %as = tensor.extract_slice %a[%t][1][1] : tensor<64xvector<4xf32>> to tensor<1xvector<4xf32>>
    %os = tensor.extract_slice %o[%t][1][1] : tensor<64xvector<4xf32>> to tensor<1xvector<4xf32>>
    %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%as : tensor<1xvector<4xf32>>) outs(%os : tensor<1xvector<4xf32>>) {
    ^bb0(%x: vector<4xf32>, %y: vector<4xf32>):
      %z = arith.addf %x, %x : vector<4xf32>
      linalg.yield %z : vector<4xf32>
    } -> tensor<1xvector<4xf32>>
    scf.forall.in_parallel { tensor.parallel_insert_slice %m into %o[%t][1][1] : tensor<1xvector<4xf32>> into tensor<64xvector<4xf32>> }
  } {mapping = [#gpu.thread<x>]}
  %e2 = tensor.empty() : tensor<64xvector<4xf32>>
  %r = scf.forall (%t) in (64) shared_outs(%o = %e2) -> (tensor<64xvector<4xf32>>) {
    %u = arith.subi %c63, %t : index
    %as = tensor.extract_slice %s[%u][1][1] : tensor<64xvector<4xf32>> to tensor<1xvector<4xf32>>
    scf.forall.in_parallel { tensor.parallel_insert_slice %as into %o[%t][1][1] : tensor<1xvector<4xf32>> into tensor<64xvector<4xf32>> }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %B : (tensor<64xvector<4xf32>>, memref<64xvector<4xf32>>) -> ()
  return
}
