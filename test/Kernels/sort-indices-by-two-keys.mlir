// RUN: %python %S/run.py %s
// By the first key, and by the second one where that is equal; each thread a row.
// EXPECT workgroup_bytes=0 barriers=0
// INPUT a0 = np.random.default_rng(7).integers(0, 4, (32, 12)).astype(np.int32)
// INPUT a1 = np.random.default_rng(8).permuted(np.tile(np.arange(12), (32, 1)), axis=1).astype(np.float32)
// RESULT a2 = np.lexsort((a1, a0), axis=1)
func.func @sort_indices_by_two_keys(%x: memref<32x12xi32>, %y: memref<32x12xf32>, %i: memref<32x12xindex>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %tx = bufferization.to_tensor %x restrict : memref<32x12xi32> to tensor<32x12xi32>
  %ty = bufferization.to_tensor %y restrict : memref<32x12xf32> to tensor<32x12xf32>
  %o = bufferization.to_tensor %i restrict writable : memref<32x12xindex> to tensor<32x12xindex>
  %r = scf.forall (%n) in (32) shared_outs(%os = %o) -> (tensor<32x12xindex>) {
    %xs = tensor.extract_slice %tx[%n, 0] [1, 12] [1, 1] : tensor<32x12xi32> to tensor<1x12xi32>
    %ys = tensor.extract_slice %ty[%n, 0] [1, 12] [1, 1] : tensor<32x12xf32> to tensor<1x12xf32>
    %on = tensor.extract_slice %os[%n, 0] [1, 12] [1, 1] : tensor<32x12xindex> to tensor<1x12xindex>
    %k = memspace.sort_indices dimension(1) ins(%xs, %ys : tensor<1x12xi32>, tensor<1x12xf32>) outs(%on : tensor<1x12xindex>) {
    ^bb0(%a: i32, %b: i32, %c: f32, %d: f32):
      %less = arith.cmpi slt, %a, %b : i32
      %same = arith.cmpi eq, %a, %b : i32
      %second = arith.cmpf olt, %c, %d : f32
      %and = arith.andi %same, %second : i1
      %first = arith.ori %less, %and : i1
      memspace.yield %first : i1
    } -> tensor<1x12xindex>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %k into %os[%n, 0] [1, 12] [1, 1] : tensor<1x12xindex> into tensor<32x12xindex>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %i : (tensor<32x12xindex>, memref<32x12xindex>) -> ()
  return
}
