// RUN: %python %S/run.py %s
// Vector reads and writes of each thread's own elements.
// EXPECT barriers=0 workgroup_bytes=0 private_bytes=0
// RESULT a2 = a0 * a1 + 1
func.func @vt(%A: memref<512xf32>, %B: memref<512xf32>, %C: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>, gpu.known_grid_size = array<i32: 2,1,1>} {
  %a = bufferization.to_tensor %A restrict : memref<512xf32> to tensor<512xf32>
  %b = bufferization.to_tensor %B restrict : memref<512xf32> to tensor<512xf32>

  %z = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : vector<4xf32>
  %e = tensor.empty() : tensor<512xf32>
  %r = scf.forall (%b0) = (0) to (512) step (256) shared_outs(%o = %e) -> (tensor<512xf32>) {
    %as = tensor.extract_slice %a[%b0][256][1] : tensor<512xf32> to tensor<256xf32>
    %bs = tensor.extract_slice %b[%b0][256][1] : tensor<512xf32> to tensor<256xf32>
    %os = tensor.extract_slice %o[%b0][256][1] : tensor<512xf32> to tensor<256xf32>
    %n = scf.forall (%t) = (0) to (256) step (4) shared_outs(%w = %os) -> (tensor<256xf32>) {
      %va = vector.transfer_read %as[%t], %z {in_bounds=[true]} : tensor<256xf32>, vector<4xf32>
      %vb = vector.transfer_read %bs[%t], %z {in_bounds=[true]} : tensor<256xf32>, vector<4xf32>
      %m = vector.fma %va, %vb, %one : vector<4xf32>
      %ws = tensor.extract_slice %w[%t][4][1] : tensor<256xf32> to tensor<4xf32>
      %c0 = arith.constant 0 : index
      %q = vector.transfer_write %m, %ws[%c0] {in_bounds=[true]} : vector<4xf32>, tensor<4xf32>
      scf.forall.in_parallel { tensor.parallel_insert_slice %q into %w[%t][4][1] : tensor<4xf32> into tensor<256xf32> }
    } {mapping=[#gpu.thread<x>]}
    scf.forall.in_parallel { tensor.parallel_insert_slice %n into %o[%b0][256][1] : tensor<256xf32> into tensor<512xf32> }
  } {mapping=[#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %C : (tensor<512xf32>, memref<512xf32>) -> ()
  return
}
