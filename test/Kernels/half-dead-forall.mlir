// The first result of the last forall is unused, though the forall reads what it
// was: with the result goes the reader, or it reads a buffer that nobody fills.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = np.full(64, -1.0, np.float32)
// RUN: %python %S/run.py %s
func.func @kernel(%arg0: memref<64xi16>, %arg1: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %0 = bufferization.to_tensor %arg0 restrict : memref<64xi16> to tensor<64xi16>
  %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [8, 8] : tensor<64xi16> into tensor<8x8xi16>
  %1 = tensor.empty() : tensor<64xi16>
  %expanded_0 = tensor.expand_shape %1 [[0, 1]] output_shape [8, 8] : tensor<64xi16> into tensor<8x8xi16>
  %2 = scf.forall (%arg2) in (8) shared_outs(%arg3 = %expanded_0) -> (tensor<8x8xi16>) {
    %c1 = arith.constant 1 : index
    %extracted_slice = tensor.extract_slice %expanded[0, %c1] [8, 1] [1, 1] : tensor<8x8xi16> to tensor<8xi16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %extracted_slice into %arg3[%arg2, 0] [1, 8] [1, 1] : tensor<8xi16> into tensor<8x8xi16>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  %collapsed = tensor.collapse_shape %2 [[0, 1]] : tensor<8x8xi16> into tensor<64xi16>
  %3 = tensor.empty() : tensor<64xf32>
  %cst = arith.constant -1.000000e+00 : f32
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<64xf32>) -> tensor<64xf32>
  %5:2 = scf.forall (%arg2) in (64) shared_outs(%arg3 = %collapsed, %arg4 = %4) -> (tensor<64xi16>, tensor<64xf32>) {
    %c0 = arith.constant 0 : index
    %extracted = tensor.extract %arg3[%c0] : tensor<64xi16>
    %c0_i16 = arith.constant 0 : i16
    %6 = arith.minsi %c0_i16, %extracted : i16
    %from_elements = tensor.from_elements %6 : tensor<1xi16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %from_elements into %arg3[%arg2] [1] [1] : tensor<1xi16> into tensor<64xi16>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %5#1 in restrict writable %arg1 : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
