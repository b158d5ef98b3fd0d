// RUN: %python %S/run.py %s
// C += A B: each thread loads its part of C once, and stores it once.
// EXPECT workgroup_bytes=0 private_bytes=32 barriers=0
// RESULT a2 = a2 + a0 @ a1
// TOLERANCE 1e-4
func.func @kernel(%A: memref<64x48xf32>, %B: memref<48x64xf32>, %C: memref<64x64xf32>) attributes {
    gpu.known_block_size = array<i32: 16, 8, 1>, gpu.known_grid_size = array<i32: 2, 2, 1>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %zero = arith.constant 0.0 : f32
  %a = bufferization.to_tensor %A restrict : memref<64x48xf32> to tensor<64x48xf32>
  %b = bufferization.to_tensor %B restrict : memref<48x64xf32> to tensor<48x64xf32>
  %e = bufferization.to_tensor %C restrict writable : memref<64x64xf32> to tensor<64x64xf32>
  %r = scf.forall (%i, %j) in (2, 2) shared_outs(%o = %e) -> (tensor<64x64xf32>) {
    %y = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %x = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %at = tensor.extract_slice %a[%y, 0] [32, 48] [1, 1] : tensor<64x48xf32> to tensor<32x48xf32>
    %bt = tensor.extract_slice %b[0, %x] [48, 32] [1, 1] : tensor<48x64xf32> to tensor<48x32xf32>
    %ot = tensor.extract_slice %o[%y, %x] [32, 32] [1, 1] : tensor<64x64xf32> to tensor<32x32xf32>
    %done = scf.for %k = %c0 to %c48 step %c16 iter_args(%acc = %ot) -> (tensor<32x32xf32>) {
      %as = tensor.extract_slice %at[0, %k] [32, 16] [1, 1] : tensor<32x48xf32> to tensor<32x16xf32>
      %bs = tensor.extract_slice %bt[%k, 0] [16, 32] [1, 1] : tensor<48x32xf32> to tensor<16x32xf32>
      %part = scf.forall (%ty, %tx) in (8, 16) shared_outs(%p = %acc) -> (tensor<32x32xf32>) {
        %ly = affine.apply affine_map<(d0) -> (d0 * 4)>(%ty)
        %lx = affine.apply affine_map<(d0) -> (d0 * 2)>(%tx)
        %al = tensor.extract_slice %as[%ly, 0] [4, 16] [1, 1] : tensor<32x16xf32> to tensor<4x16xf32>
        %bl = tensor.extract_slice %bs[0, %lx] [16, 2] [1, 1] : tensor<16x32xf32> to tensor<16x2xf32>
        %pl = tensor.extract_slice %p[%ly, %lx] [4, 2] [1, 1] : tensor<32x32xf32> to tensor<4x2xf32>
        %m = linalg.matmul ins(%al, %bl : tensor<4x16xf32>, tensor<16x2xf32>) outs(%pl : tensor<4x2xf32>) -> tensor<4x2xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %m into %p[%ly, %lx] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<32x32xf32>
        }
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
      scf.yield %part : tensor<32x32xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[%y, %x] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<64x64xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %C : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}
