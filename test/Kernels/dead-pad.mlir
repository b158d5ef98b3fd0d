// A padded tile is only overwritten: what it was padded from is not computed, and
// must not be read.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0
// RUN: %python %S/run.py %s
func.func @kernel(%arg0: memref<48xi64>, %arg1: memref<48xi64>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %0 = bufferization.to_tensor %arg0 restrict : memref<48xi64> to tensor<48xi64>
  %1 = tensor.empty() : tensor<48xi64>
  %2:2 = scf.forall (%arg2) in (6) shared_outs(%arg3 = %0, %arg4 = %1) -> (tensor<48xi64>, tensor<48xi64>) {
    %extracted_slice = tensor.extract_slice %0[%arg2] [8] [6] : tensor<48xi64> to tensor<8xi64>
    %extracted_slice_0 = tensor.extract_slice %arg3[%arg2] [8] [6] : tensor<48xi64> to tensor<8xi64>
    %c-1_i64 = arith.constant -1 : i64
    %extracted_slice_1 = tensor.extract_slice %extracted_slice_0[0] [7] [1] : tensor<8xi64> to tensor<7xi64>
    %padded = tensor.pad %extracted_slice_1 low[0] high[1] {
    ^bb0(%arg5: index):
      tensor.yield %c-1_i64 : i64
    } : tensor<7xi64> to tensor<8xi64>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%extracted_slice : tensor<8xi64>) outs(%padded : tensor<8xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<8xi64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3 into %arg4[%arg2] [8] [6] : tensor<8xi64> into tensor<48xi64>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %2#1 in restrict writable %arg1 : (tensor<48xi64>, memref<48xi64>) -> ()
  return
}
