// RUN: %python %S/run.py %s
// Double-buffered matmul: the next tiles are loaded while the current ones are read; they swap through iter_args.
// EXPECT workgroup_bytes=8192 barriers<=2
// TOLERANCE 1e-4
// RESULT a2 = a0 @ a1
#m2 = affine_map<(d0) -> (d0 * 2)>
#m4 = affine_map<(d0) -> (d0 * 4)>
func.func @matmul_double_buffer(%a: memref<32x64xf32>, %b: memref<64x32xf32>, %out: memref<32x32xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %at = bufferization.to_tensor %a restrict : memref<32x64xf32> to tensor<32x64xf32>
  %bt = bufferization.to_tensor %b restrict : memref<64x32xf32> to tensor<64x32xf32>
  %c0 = arith.constant 0 : index
  %zf = arith.constant 0.0 : f32
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %a0e = tensor.empty() : tensor<32x16xf32>
  %b0e = tensor.empty() : tensor<16x32xf32>
  %a1e = tensor.empty() : tensor<32x16xf32>
  %b1e = tensor.empty() : tensor<16x32xf32>
  %a0 = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %a0e) -> (tensor<32x16xf32>) {
    %p = affine.apply #m4(%i)
    %q = affine.apply #m2(%j)
    %kq = arith.addi %c0, %q : index
    %s = tensor.extract_slice %at[%p, %kq] [4, 2] [1, 1] : tensor<32x64xf32> to tensor<4x2xf32>
    %d = tensor.extract_slice %o[%p, %q] [4, 2] [1, 1] : tensor<32x16xf32> to tensor<4x2xf32>
    %cp = linalg.copy ins(%s : tensor<4x2xf32>) outs(%d : tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %cp into %o[%p, %q] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<32x16xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %b0 = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %b0e) -> (tensor<16x32xf32>) {
    %p = affine.apply #m2(%i)
    %q = affine.apply #m4(%j)
    %kp = arith.addi %c0, %p : index
    %s = tensor.extract_slice %bt[%kp, %q] [2, 4] [1, 1] : tensor<64x32xf32> to tensor<2x4xf32>
    %d = tensor.extract_slice %o[%p, %q] [2, 4] [1, 1] : tensor<16x32xf32> to tensor<2x4xf32>
    %cp = linalg.copy ins(%s : tensor<2x4xf32>) outs(%d : tensor<2x4xf32>) -> tensor<2x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %cp into %o[%p, %q] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<16x32xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %ace = tensor.empty() : tensor<32x32xf32>
  %ac0 = linalg.fill ins(%zf : f32) outs(%ace : tensor<32x32xf32>) -> tensor<32x32xf32>
  %f:5 = scf.for %k = %c0 to %c48 step %c16 iter_args(%ca = %a0, %cb = %b0, %na = %a1e, %nb = %b1e, %acc = %ac0) -> (tensor<32x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32x32xf32>) {
    %kn = arith.addi %k, %c16 : index
    %la = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %na) -> (tensor<32x16xf32>) {
      %p = affine.apply #m4(%i)
      %q = affine.apply #m2(%j)
      %kq = arith.addi %kn, %q : index
      %s = tensor.extract_slice %at[%p, %kq] [4, 2] [1, 1] : tensor<32x64xf32> to tensor<4x2xf32>
      %d = tensor.extract_slice %o[%p, %q] [4, 2] [1, 1] : tensor<32x16xf32> to tensor<4x2xf32>
      %cp = linalg.copy ins(%s : tensor<4x2xf32>) outs(%d : tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %cp into %o[%p, %q] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<32x16xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    %lb = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %nb) -> (tensor<16x32xf32>) {
      %p = affine.apply #m2(%i)
      %q = affine.apply #m4(%j)
      %kp = arith.addi %kn, %p : index
      %s = tensor.extract_slice %bt[%kp, %q] [2, 4] [1, 1] : tensor<64x32xf32> to tensor<2x4xf32>
      %d = tensor.extract_slice %o[%p, %q] [2, 4] [1, 1] : tensor<16x32xf32> to tensor<2x4xf32>
      %cp = linalg.copy ins(%s : tensor<2x4xf32>) outs(%d : tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %cp into %o[%p, %q] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<16x32xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    %m1 = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %acc) -> (tensor<32x32xf32>) {
      %p = affine.apply #m4(%i)
      %q = affine.apply #m4(%j)
      %sa = tensor.extract_slice %ca[%p, 0] [4, 16] [1, 1] : tensor<32x16xf32> to tensor<4x16xf32>
      %sb = tensor.extract_slice %cb[0, %q] [16, 4] [1, 1] : tensor<16x32xf32> to tensor<16x4xf32>
      %d = tensor.extract_slice %o[%p, %q] [4, 4] [1, 1] : tensor<32x32xf32> to tensor<4x4xf32>
      %m = linalg.matmul ins(%sa, %sb : tensor<4x16xf32>, tensor<16x4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %m into %o[%p, %q] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<32x32xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    scf.yield %la, %lb, %ca, %cb, %m1 : tensor<32x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32x32xf32>
  }
  %mF = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %f#4) -> (tensor<32x32xf32>) {
    %p = affine.apply #m4(%i)
    %q = affine.apply #m4(%j)
    %sa = tensor.extract_slice %f#0[%p, 0] [4, 16] [1, 1] : tensor<32x16xf32> to tensor<4x16xf32>
    %sb = tensor.extract_slice %f#1[0, %q] [16, 4] [1, 1] : tensor<16x32xf32> to tensor<16x4xf32>
    %d = tensor.extract_slice %o[%p, %q] [4, 4] [1, 1] : tensor<32x32xf32> to tensor<4x4xf32>
    %m = linalg.matmul ins(%sa, %sb : tensor<4x16xf32>, tensor<16x4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%p, %q] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<32x32xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  bufferization.materialize_in_destination %mF in restrict writable %out : (tensor<32x32xf32>, memref<32x32xf32>) -> ()

  return
}
