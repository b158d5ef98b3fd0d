// What the branch chooses is only overwritten, so that nothing needs the tile of
// which the condition reads an element: the choice goes too.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0.reshape(4, 6).T.reshape(-1)
// RUN: %python %S/run.py %s
func.func @kernel(%arg0: memref<24xf32>, %arg1: memref<24xf32>) attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %0 = bufferization.to_tensor %arg0 restrict : memref<24xf32> to tensor<24xf32>
  %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
  %1 = tensor.empty() : tensor<6x4xf32>
  %transposed = linalg.transpose ins(%expanded : tensor<4x6xf32>) outs(%1 : tensor<6x4xf32>) permutation = [1, 0] 
  %collapsed = tensor.collapse_shape %transposed [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %2 = tensor.empty() : tensor<24xf32>
  %3 = scf.forall (%arg2) in (6) shared_outs(%arg3 = %2) -> (tensor<24xf32>) {
    %extracted_slice = tensor.extract_slice %0[%arg2] [4] [1] : tensor<24xf32> to tensor<4xf32>
    %8 = affine.apply affine_map<(d0) -> (d0 * 4)>(%arg2)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %extracted_slice into %arg3[%8] [4] [1] : tensor<4xf32> into tensor<24xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %c18 = arith.constant 18 : index
  %extracted = tensor.extract %3[%c18] : tensor<24xf32>
  %cst = arith.constant 5.000000e-01 : f32
  %4 = arith.cmpf ogt, %extracted, %cst : f32
  %5:2 = scf.if %4 -> (tensor<24xf32>, tensor<24xf32>) {
    scf.yield %collapsed, %collapsed : tensor<24xf32>, tensor<24xf32>
  } else {
    scf.yield %3, %collapsed : tensor<24xf32>, tensor<24xf32>
  }
  %6 = tensor.empty() : tensor<24xi32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%collapsed, %6 : tensor<24xf32>, tensor<24xi32>) outs(%5#0 : tensor<24xf32>) {
  ^bb0(%in: f32, %in_0: i32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<24xf32>
  bufferization.materialize_in_destination %7 in restrict writable %arg1 : (tensor<24xf32>, memref<24xf32>) -> ()
  return
}
