// RUN: %python %S/run.py %s
// Each thread contracts two tiles of vectors.
// EXPECT barriers=0 workgroup_bytes=0
// RESULT a2 = a0 @ a1
func.func @vc(%A: memref<16x16xf32>, %B: memref<16x16xf32>, %C: memref<16x16xf32>) attributes {gpu.known_block_size = array<i32: 4,4,1>, gpu.known_grid_size = array<i32: 1,1,1>} {
  %a = bufferization.to_tensor %A restrict : memref<16x16xf32> to tensor<16x16xf32>
  %b = bufferization.to_tensor %B restrict : memref<16x16xf32> to tensor<16x16xf32>

  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %acc = arith.constant dense<0.0> : vector<4x4xf32>
  %e = tensor.empty() : tensor<16x16xf32>
  %r = scf.forall (%y,%x) = (0,0) to (16,16) step (4,4) shared_outs(%w = %e) -> (tensor<16x16xf32>) {
    %va = vector.transfer_read %a[%y,%c0], %z {in_bounds=[true,true]} : tensor<16x16xf32>, vector<4x16xf32>
    %vb = vector.transfer_read %b[%c0,%x], %z {in_bounds=[true,true]} : tensor<16x16xf32>, vector<16x4xf32>
    %m = vector.contract {indexing_maps=[affine_map<(m,n,k)->(m,k)>,affine_map<(m,n,k)->(k,n)>,affine_map<(m,n,k)->(m,n)>],iterator_types=["parallel","parallel","reduction"],kind=#vector.kind<add>} %va,%vb,%acc : vector<4x16xf32>, vector<16x4xf32> into vector<4x4xf32>
    %ws = tensor.extract_slice %w[%y,%x][4,4][1,1] : tensor<16x16xf32> to tensor<4x4xf32>
    %q = vector.transfer_write %m, %ws[%c0,%c0] {in_bounds=[true,true]} : vector<4x4xf32>, tensor<4x4xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %q into %w[%y,%x][4,4][1,1] : tensor<4x4xf32> into tensor<16x16xf32> }
  } {mapping=[#gpu.thread<y>,#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %C : (tensor<16x16xf32>, memref<16x16xf32>) -> ()
  return
}
