// RUN: %python %S/run.py %s
// A transfer touches the elements of its vector: each thread reads what it wrote.
// EXPECT workgroup_bytes=0 barriers=0 private_bytes=16
// RESULT a1 = (a0 + 1) ** 2
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
    %va = vector.transfer_read %s[%t], %z {in_bounds=[true]} : tensor<256xf32>, vector<4xf32>
    %m = arith.mulf %va, %va : vector<4xf32>
    %ws = tensor.extract_slice %w[%t][4][1] : tensor<256xf32> to tensor<4xf32>
    %q = vector.transfer_write %m, %ws[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %q into %w[%t][4][1] : tensor<4xf32> into tensor<256xf32> }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %C : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}
