// RUN: memspace-opt %s -memspace-compile-pipeline=chip=sm_80 -verify-diagnostics -o /dev/null

// No barrier is needed between the fill of a row and its sum: each thread has its own
// elements. It was not seen once the slices, of extent 1, were loops. (A warning of a
// possible data race is an error here.)
func.func @operator(%arg0: tensor<?x?x?xf32>) -> (tensor<1x?x?xf32>) {
  %d0_0 = arith.constant 0 : index
  %n0_0 = tensor.dim %arg0, %d0_0 : tensor<?x?x?xf32>
  %d0_1 = arith.constant 1 : index
  %n0_1 = tensor.dim %arg0, %d0_1 : tensor<?x?x?xf32>
  %d0_2 = arith.constant 2 : index
  %n0_2 = tensor.dim %arg0, %d0_2 : tensor<?x?x?xf32>
  %v1 = tensor.empty(%n0_0, %n0_1, %n0_2) : tensor<?x?x?xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d_i, d_j, d_k) -> (d_i, d_j, d_k)>, affine_map<(d_i, d_j, d_k) -> (d_i, d_j, d_k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x?x?xf32>) outs(%v1 : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<?x?x?xf32>
  %v3 = arith.constant 0xFF800000 : f32
  %v4 = tensor.empty(%n0_1, %n0_2) : tensor<1x?x?xf32>
  %v5 = linalg.fill ins(%v3 : f32) outs(%v4 : tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d_j, d_k, d_i) -> (d_i, d_j, d_k)>, affine_map<(d_j, d_k, d_i) -> (0, d_j, d_k)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v2 : tensor<?x?x?xf32>) outs(%v5 : tensor<1x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<1x?x?xf32>
  return %v6 : tensor<1x?x?xf32>
}
