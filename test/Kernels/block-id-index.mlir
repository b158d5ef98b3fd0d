// RUN: %python %S/run.py %s
// An index that depends on the block id, (t + b) mod 64, is the thread's own for
// block 0 only: another thread has written the element, and waits for the read.
// EXPECT workgroup_bytes=256 barriers=1
// RESULT a1 = np.concatenate([np.roll(a0[64 * b:64 * b + 64] * 2, -b) for b in range(3)])
func.func @kernel(%x: memref<192xi32>, %out: memref<192xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>,
                gpu.known_grid_size = array<i32: 3, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = bufferization.to_tensor %x restrict : memref<192xi32> to tensor<192xi32>
  %1 = bufferization.to_tensor %out restrict writable : memref<192xi32> to tensor<192xi32>
  %2 = scf.forall (%b) in (3) shared_outs(%o = %1) -> (tensor<192xi32>) {
    %base = affine.apply affine_map<(d0) -> (d0 * 64)>(%b)
    %in = tensor.extract_slice %0[%base] [64] [1] : tensor<192xi32> to tensor<64xi32>
    %e = tensor.empty() : tensor<64xi32>
    %doubled = scf.forall (%t) in (64) shared_outs(%d = %e) -> (tensor<64xi32>) {
      %v = tensor.extract %in[%t] : tensor<64xi32>
      %w = arith.addi %v, %v : i32
      %s = tensor.extract_slice %d[%t] [1] [1] : tensor<64xi32> to tensor<1xi32>
      %u = tensor.insert %w into %s[%c0] : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %u into %d[%t] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %slice = tensor.extract_slice %o[%base] [64] [1] : tensor<192xi32> to tensor<64xi32>
    %rotated = scf.forall (%t) in (64) shared_outs(%d = %slice) -> (tensor<64xi32>) {
      %sum = arith.addi %t, %b : index
      %i = arith.remui %sum, %c64 : index
      %v = tensor.extract %doubled[%i] : tensor<64xi32>
      %s = tensor.extract_slice %d[%t] [1] [1] : tensor<64xi32> to tensor<1xi32>
      %u = tensor.insert %v into %s[%c0] : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %u into %d[%t] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %rotated into %o[%base] [64] [1] : tensor<64xi32> into tensor<192xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %2 in restrict writable %out : (tensor<192xi32>, memref<192xi32>) -> ()
  return
}
