// RUN: %python %S/run.py %s
// A tensor updates the argument in place, nothing of which is read; another one
// is materialized there. What the first holds is still needed then.
// EXPECT workgroup_bytes<=16
// RESULT a0 = np.array([0, 1, 0, 1])
func.func @overwritten_argument_as_scratch(%arg0: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 2, 1, 1>} {
  %0 = bufferization.to_tensor %arg0 restrict writable : memref<4xf32> to tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %cst = arith.constant 1.000000e+00 : f32
  %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst_0 = arith.constant 0.000000e+00 : f32
    linalg.yield %cst_0 : f32
  } -> tensor<4xf32>
  %4 = tensor.empty() : tensor<4xf32>
  %5:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<4xf32>) outs(%0, %4 : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32, %out_0: f32):
    %cst_1 = arith.constant 0.000000e+00 : f32
    linalg.yield %cst_1, %in : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %c0 = arith.constant 0 : index
  %extracted_slice = tensor.extract_slice %3[%c0] [2] [2] : tensor<4xf32> to tensor<2xf32>
  %inserted_slice = tensor.insert_slice %extracted_slice into %5#1[%c0] [2] [2] : tensor<2xf32> into tensor<4xf32>
  bufferization.materialize_in_destination %inserted_slice in restrict writable %arg0 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
