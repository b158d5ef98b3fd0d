// RUN: %python %S/run.py %s
// Matmul with 3 slots in one tensor: slot (k + 2) mod 3 is loaded while slot k mod 3 is read.
// EXPECT workgroup_bytes=12288 barriers<=3
// TOLERANCE 1e-4
// RESULT a2 = a0 @ a1
#m2 = affine_map<(d0) -> (d0 * 2)>
#m4 = affine_map<(d0) -> (d0 * 4)>
func.func @matmul_three_slots(%a: memref<32x64xf32>, %b: memref<64x32xf32>, %out: memref<32x32xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %at = bufferization.to_tensor %a restrict : memref<32x64xf32> to tensor<32x64xf32>
  %bt = bufferization.to_tensor %b restrict : memref<64x32xf32> to tensor<64x32xf32>
  %c0 = arith.constant 0 : index
  %zf = arith.constant 0.0 : f32
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %cN = arith.constant 3 : index
  %sae = tensor.empty() : tensor<3x32x16xf32>
  %sbe = tensor.empty() : tensor<3x16x32xf32>
  %pa0 = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %sae) -> (tensor<3x32x16xf32>) {
    %p = affine.apply #m4(%i)
    %q = affine.apply #m2(%j)
    %kq = arith.addi %c0, %q : index
    %s = tensor.extract_slice %at[%p, %kq] [4, 2] [1, 1] : tensor<32x64xf32> to tensor<4x2xf32>
    %d = tensor.extract_slice %o[0, %p, %q] [1, 4, 2] [1, 1, 1] : tensor<3x32x16xf32> to tensor<4x2xf32>
    %cp = linalg.copy ins(%s : tensor<4x2xf32>) outs(%d : tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %cp into %o[0, %p, %q] [1, 4, 2] [1, 1, 1] : tensor<4x2xf32> into tensor<3x32x16xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %pb0 = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %sbe) -> (tensor<3x16x32xf32>) {
    %p = affine.apply #m2(%i)
    %q = affine.apply #m4(%j)
    %kp = arith.addi %c0, %p : index
    %s = tensor.extract_slice %bt[%kp, %q] [2, 4] [1, 1] : tensor<64x32xf32> to tensor<2x4xf32>
    %d = tensor.extract_slice %o[0, %p, %q] [1, 2, 4] [1, 1, 1] : tensor<3x16x32xf32> to tensor<2x4xf32>
    %cp = linalg.copy ins(%s : tensor<2x4xf32>) outs(%d : tensor<2x4xf32>) -> tensor<2x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %cp into %o[0, %p, %q] [1, 2, 4] [1, 1, 1] : tensor<2x4xf32> into tensor<3x16x32xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %k1 = arith.constant 16 : index
  %pa1 = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %pa0) -> (tensor<3x32x16xf32>) {
    %p = affine.apply #m4(%i)
    %q = affine.apply #m2(%j)
    %kq = arith.addi %k1, %q : index
    %s = tensor.extract_slice %at[%p, %kq] [4, 2] [1, 1] : tensor<32x64xf32> to tensor<4x2xf32>
    %d = tensor.extract_slice %o[1, %p, %q] [1, 4, 2] [1, 1, 1] : tensor<3x32x16xf32> to tensor<4x2xf32>
    %cp = linalg.copy ins(%s : tensor<4x2xf32>) outs(%d : tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %cp into %o[1, %p, %q] [1, 4, 2] [1, 1, 1] : tensor<4x2xf32> into tensor<3x32x16xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %pb1 = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %pb0) -> (tensor<3x16x32xf32>) {
    %p = affine.apply #m2(%i)
    %q = affine.apply #m4(%j)
    %kp = arith.addi %k1, %p : index
    %s = tensor.extract_slice %bt[%kp, %q] [2, 4] [1, 1] : tensor<64x32xf32> to tensor<2x4xf32>
    %d = tensor.extract_slice %o[1, %p, %q] [1, 2, 4] [1, 1, 1] : tensor<3x16x32xf32> to tensor<2x4xf32>
    %cp = linalg.copy ins(%s : tensor<2x4xf32>) outs(%d : tensor<2x4xf32>) -> tensor<2x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %cp into %o[1, %p, %q] [1, 2, 4] [1, 1, 1] : tensor<2x4xf32> into tensor<3x16x32xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %ace = tensor.empty() : tensor<32x32xf32>
  %ac0 = linalg.fill ins(%zf : f32) outs(%ace : tensor<32x32xf32>) -> tensor<32x32xf32>
  %cL = arith.constant 32 : index
  %ahead = arith.constant 32 : index
  %nm1 = arith.constant 2 : index
  %f:3 = scf.for %k = %c0 to %cL step %c16 iter_args(%ta = %pa1, %tb = %pb1, %acc = %ac0) -> (tensor<3x32x16xf32>, tensor<3x16x32xf32>, tensor<32x32xf32>) {
    %kn = arith.addi %k, %ahead : index
    %it = arith.divui %k, %c16 : index
    %s0 = arith.remui %it, %cN : index
    %in = arith.addi %it, %nm1 : index
    %s1 = arith.remui %in, %cN : index
    %la = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %ta) -> (tensor<3x32x16xf32>) {
      %p = affine.apply #m4(%i)
      %q = affine.apply #m2(%j)
      %kq = arith.addi %kn, %q : index
      %s = tensor.extract_slice %at[%p, %kq] [4, 2] [1, 1] : tensor<32x64xf32> to tensor<4x2xf32>
      %d = tensor.extract_slice %o[%s1, %p, %q] [1, 4, 2] [1, 1, 1] : tensor<3x32x16xf32> to tensor<4x2xf32>
      %cp = linalg.copy ins(%s : tensor<4x2xf32>) outs(%d : tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %cp into %o[%s1, %p, %q] [1, 4, 2] [1, 1, 1] : tensor<4x2xf32> into tensor<3x32x16xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    %lb = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %tb) -> (tensor<3x16x32xf32>) {
      %p = affine.apply #m2(%i)
      %q = affine.apply #m4(%j)
      %kp = arith.addi %kn, %p : index
      %s = tensor.extract_slice %bt[%kp, %q] [2, 4] [1, 1] : tensor<64x32xf32> to tensor<2x4xf32>
      %d = tensor.extract_slice %o[%s1, %p, %q] [1, 2, 4] [1, 1, 1] : tensor<3x16x32xf32> to tensor<2x4xf32>
      %cp = linalg.copy ins(%s : tensor<2x4xf32>) outs(%d : tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %cp into %o[%s1, %p, %q] [1, 2, 4] [1, 1, 1] : tensor<2x4xf32> into tensor<3x16x32xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    %m1 = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %acc) -> (tensor<32x32xf32>) {
      %p = affine.apply #m4(%i)
      %q = affine.apply #m4(%j)
      %sa = tensor.extract_slice %la[%s0, %p, 0] [1, 4, 16] [1, 1, 1] : tensor<3x32x16xf32> to tensor<4x16xf32>
      %sb = tensor.extract_slice %lb[%s0, 0, %q] [1, 16, 4] [1, 1, 1] : tensor<3x16x32xf32> to tensor<16x4xf32>
      %d = tensor.extract_slice %o[%p, %q] [4, 4] [1, 1] : tensor<32x32xf32> to tensor<4x4xf32>
      %m = linalg.matmul ins(%sa, %sb : tensor<4x16xf32>, tensor<16x4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %m into %o[%p, %q] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<32x32xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    scf.yield %la, %lb, %m1 : tensor<3x32x16xf32>, tensor<3x16x32xf32>, tensor<32x32xf32>
  }
  %t:1 = scf.for %k = %cL to %c64 step %c16 iter_args(%acc = %f#2) -> (tensor<32x32xf32>) {
    %it = arith.divui %k, %c16 : index
    %s0 = arith.remui %it, %cN : index
    %m1 = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %acc) -> (tensor<32x32xf32>) {
      %p = affine.apply #m4(%i)
      %q = affine.apply #m4(%j)
      %sa = tensor.extract_slice %f#0[%s0, %p, 0] [1, 4, 16] [1, 1, 1] : tensor<3x32x16xf32> to tensor<4x16xf32>
      %sb = tensor.extract_slice %f#1[%s0, 0, %q] [1, 16, 4] [1, 1, 1] : tensor<3x16x32xf32> to tensor<16x4xf32>
      %d = tensor.extract_slice %o[%p, %q] [4, 4] [1, 1] : tensor<32x32xf32> to tensor<4x4xf32>
      %m = linalg.matmul ins(%sa, %sb : tensor<4x16xf32>, tensor<16x4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %m into %o[%p, %q] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<32x32xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    scf.yield %m1 : tensor<32x32xf32>
  }
  bufferization.materialize_in_destination %t#0 in restrict writable %out : (tensor<32x32xf32>, memref<32x32xf32>) -> ()

  return
}
