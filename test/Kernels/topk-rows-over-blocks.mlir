// RUN: %python %S/run.py %s
// The same with a workgroup for each row: one row's barriers, and no loop.
// EXPECT gfx942: workgroup_bytes=8192 barriers<=8 executed<=8
// EXPECT sm_90: workgroup_bytes=8192 barriers<=10 executed<=10
// GRID 64
// INPUT a0 = np.random.default_rng(1).integers(0, 300, (64, 1000)).astype(np.float32)
// RESULT a1 = np.argsort(-a0, axis=1, kind='stable')[:, :10]
func.func @topk_rows_over_blocks(%x: memref<64x1000xf32>, %i: memref<64x10xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<64x1000xf32> to tensor<64x1000xf32>
  %o = bufferization.to_tensor %i restrict writable : memref<64x10xi32> to tensor<64x10xi32>
  %r = scf.forall (%row) in (64) shared_outs(%out = %o) -> (tensor<64x10xi32>) {
    %xs = tensor.extract_slice %t[%row, 0] [1, 1000] [1, 1] : tensor<64x1000xf32> to tensor<1x1000xf32>
    %os = tensor.extract_slice %out[%row, 0] [1, 10] [1, 1] : tensor<64x10xi32> to tensor<1x10xi32>
    %k = memspace.topk dimension(1) ins(%xs : tensor<1x1000xf32>) indices(%os : tensor<1x10xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<1x10xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %k into %out[%row, 0] [1, 10] [1, 1] : tensor<1x10xi32> into tensor<64x10xi32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %i : (tensor<64x10xi32>, memref<64x10xi32>) -> ()
  return
}
