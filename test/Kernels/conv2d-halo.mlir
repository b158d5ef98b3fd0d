// RUN: %python %S/run.py %s
// 3x3 convolution, a 10x10 tile with halo per block of 8x8 outputs, loaded by linear thread ids.
// EXPECT workgroup_bytes=400 barriers=1
// TOLERANCE 1e-4
// RESULT a2 = sum(a0[i:i+16, j:j+16] * a1[i, j] for i in range(3) for j in range(3))
#m8 = affine_map<(d0) -> (d0 * 8)>
func.func @conv2d_halo(%x: memref<18x18xf32>, %w: memref<3x3xf32>, %out: memref<16x16xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 8, 1>, gpu.known_grid_size = array<i32: 2, 2, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<18x18xf32> to tensor<18x18xf32>
  %wt = bufferization.to_tensor %w restrict : memref<3x3xf32> to tensor<3x3xf32>
  %zf = arith.constant 0.0 : f32
  %c10 = arith.constant 10 : index
  %oe = tensor.empty() : tensor<16x16xf32>
  %r = scf.forall (%by, %bx) in (2, 2) shared_outs(%ob = %oe) -> (tensor<16x16xf32>) {
    %bi = affine.apply #m8(%by)
    %bj = affine.apply #m8(%bx)
    %te = tensor.empty() : tensor<10x10xf32>
    %t = scf.forall (%l) in (100) shared_outs(%o = %te) -> (tensor<10x10xf32>) {
      %li = arith.divui %l, %c10 : index
      %lj = arith.remui %l, %c10 : index
      %gi = arith.addi %bi, %li : index
      %gj = arith.addi %bj, %lj : index
      %v = tensor.extract %xt[%gi, %gj] : tensor<18x18xf32>
      %se_ = tensor.from_elements %v : tensor<1x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%li, %lj] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<10x10xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    %dst = tensor.extract_slice %ob[%bi, %bj] [8, 8] [1, 1] : tensor<16x16xf32> to tensor<8x8xf32>
    %u = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %dst) -> (tensor<8x8xf32>) {
      %s = tensor.extract_slice %t[%i, %j] [3, 3] [1, 1] : tensor<10x10xf32> to tensor<3x3xf32>
      %d = tensor.extract_slice %o[%i, %j] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
      %f = linalg.fill ins(%zf : f32) outs(%d : tensor<1x1xf32>) -> tensor<1x1xf32>
      %cv = linalg.conv_2d ins(%s, %wt : tensor<3x3xf32>, tensor<3x3xf32>) outs(%f : tensor<1x1xf32>) -> tensor<1x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %cv into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}

    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%bi, %bj] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<16x16xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<16x16xf32>, memref<16x16xf32>) -> ()

  return
}
