// RUN: %python %S/run.py %s
// A tensor is stored to the memory that it is, which keeps its contents although a
// tensor of it is updated. So canonicalization leaves a forall that does not change one
// of its shared outputs.
// EXPECT workgroup_bytes=0
// RESULT a0 = np.concatenate([np.concatenate([a1[24 * b:24 * b + 7], a1[24 * b + b + 6:24 * b + b + 7], a1[24 * b + 8:24 * b + 24]]) for b in range(4)])
// INPUT a1 = np.arange(96).astype(np.float32)
// SEQUENTIAL no: One-Shot updates the caller's tensor in place
func.func @self_store(%out: memref<96xf32>, %x: memref<96xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 4, 1>,
                gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %0 = bufferization.to_tensor %x restrict writable : memref<96xf32> to tensor<96xf32>
  %1 = tensor.empty() : tensor<96xf32>
  %2 = scf.forall (%b) in (4) shared_outs(%o = %1) -> (tensor<96xf32>) {
    %base = affine.apply affine_map<(d0) -> (d0 * 24)>(%b)
    %slice = tensor.extract_slice %0[%base] [24] [1] : tensor<96xf32> to tensor<24xf32>
    %i = arith.addi %b, %c6 : index
    %v = tensor.extract %slice[%i] : tensor<24xf32>
    %u = tensor.insert %v into %slice[%c7] : tensor<24xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%base] [24] [1] : tensor<24xf32> into tensor<96xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %2 in restrict writable %out : (tensor<96xf32>, memref<96xf32>) -> ()
  bufferization.materialize_in_destination %0 in restrict writable %x : (tensor<96xf32>, memref<96xf32>) -> ()
  return
}
