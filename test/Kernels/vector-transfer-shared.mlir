// RUN: %python %S/run.py %s
// Each thread reads from the vectors of others; the first one beyond the end of
// the tensor, where it gets the padding.
// EXPECT workgroup_bytes=1024 barriers=1
// RESULT a1 = [(a0[254 - 4 * t + i] + 1) ** 2 if 254 - 4 * t + i < 256 else 0 for t in range(64) for i in range(4)]
#id = affine_map<(d0) -> (d0)>
func.func @aligned(%A: memref<256xf32>, %C: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>, gpu.known_grid_size = array<i32: 1,1,1>} {
  %a = bufferization.to_tensor %A restrict : memref<256xf32> to tensor<256xf32>
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : vector<4xf32>
  %e = tensor.empty() : tensor<256xf32>
  %s = scf.forall (%t) = (0) to (256) step (4) shared_outs(%w = %e) -> (tensor<256xf32>) {
    %va = vector.transfer_read %a[%t], %z {in_bounds=[true]} : tensor<256xf32>, vector<4xf32>
    %m = arith.addf %va, %one : vector<4xf32>
    %ws = tensor.extract_slice %w[%t][4][1] : tensor<256xf32> to tensor<4xf32>
    %q = vector.transfer_write %m, %ws[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %q into %w[%t][4][1] : tensor<4xf32> into tensor<256xf32> }
  } {mapping = [#gpu.thread<x>]}
  %e2 = tensor.empty() : tensor<256xf32>
  %r = scf.forall (%t) = (0) to (256) step (4) shared_outs(%w = %e2) -> (tensor<256xf32>) {
    %c254 = arith.constant 254 : index
    %u = arith.subi %c254, %t : index
    %va = vector.transfer_read %s[%u], %z : tensor<256xf32>, vector<4xf32>
    %m = arith.mulf %va, %va : vector<4xf32>
    %ws = tensor.extract_slice %w[%t][4][1] : tensor<256xf32> to tensor<4xf32>
    %q = vector.transfer_write %m, %ws[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %q into %w[%t][4][1] : tensor<4xf32> into tensor<256xf32> }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %C : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}
