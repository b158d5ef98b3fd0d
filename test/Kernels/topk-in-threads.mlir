// RUN: %python %S/run.py %s
// Each thread finds the first 3 of its own column, by itself.
// EXPECT workgroup_bytes=0 barriers=0
// INPUT a0 = np.random.default_rng(4).integers(0, 9, (20, 64)).astype(np.int32)
// RESULT a1 = np.sort(a0, axis=0)[:3]
// RESULT a2 = np.argsort(a0, axis=0, kind='stable')[:3]
func.func @topk_in_threads(%x: memref<20x64xi32>, %v: memref<3x64xi32>, %i: memref<3x64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<20x64xi32> to tensor<20x64xi32>
  %vo = bufferization.to_tensor %v restrict writable : memref<3x64xi32> to tensor<3x64xi32>
  %io = bufferization.to_tensor %i restrict writable : memref<3x64xi32> to tensor<3x64xi32>
  %r:2 = scf.forall (%n) in (64) shared_outs(%vs = %vo, %is = %io) -> (tensor<3x64xi32>, tensor<3x64xi32>) {
    %xs = tensor.extract_slice %t[0, %n] [20, 1] [1, 1] : tensor<20x64xi32> to tensor<20x1xi32>
    %vn = tensor.extract_slice %vs[0, %n] [3, 1] [1, 1] : tensor<3x64xi32> to tensor<3x1xi32>
    %in = tensor.extract_slice %is[0, %n] [3, 1] [1, 1] : tensor<3x64xi32> to tensor<3x1xi32>
    %k:2 = memspace.topk dimension(0) ins(%xs : tensor<20x1xi32>) values(%vn : tensor<3x1xi32>) indices(%in : tensor<3x1xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  } -> tensor<3x1xi32>, tensor<3x1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %k#0 into %vs[0, %n] [3, 1] [1, 1] : tensor<3x1xi32> into tensor<3x64xi32>
      tensor.parallel_insert_slice %k#1 into %is[0, %n] [3, 1] [1, 1] : tensor<3x1xi32> into tensor<3x64xi32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<3x64xi32>, memref<3x64xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %i : (tensor<3x64xi32>, memref<3x64xi32>) -> ()
  return
}
