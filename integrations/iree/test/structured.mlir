// RUN: iree-memspace-opt %s -iree-memspace-import=block-size=64 -memspace-kernel-pipeline=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -iree-memspace-export -o %t.mlir
// RUN: memspace-runner %t.mlir --kernel=map_scatter --arg=0:iota --arg=1:fill:0 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t.npy 'i % 8 * 32 + i // 8'
// RUN: memspace-runner %t.mlir --kernel=masked --arg=0:iota --arg=1:fill:7 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t.npy 'np.where(i < 100, 99 - i, 7)'
// RUN: memspace-runner %t.mlir --kernel=map_scatter_of_threads --arg=0:iota --arg=1:fill:0 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t.npy 'i // 4 * 4 + 3 - i % 4'
// RUN: memspace-runner %t.mlir --kernel=map_scatter_of_vectors --arg=0:iota --arg=1:fill:0 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t.npy 'i // 4 * 4 + 3 - i % 4'
// RUN: memspace-runner %t.mlir --kernel=gather --arg=0:iota --arg=1:iota --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t.npy 'i'
// RUN: memspace-runner %t.mlir --kernel=attention --arg=0:iota --arg=1:fill:0.5 --arg=2:iota --out=3:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t.npy 'i // 64 * 128 + 62 + i % 4'
// RUN: memspace-runner %t.mlir --kernel=labeled --arg=0:iota --arg=1:iota --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t.npy 'i // 3 * 8 + 7 - i % 3'
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// A transposition: each thread scatters some elements.
func.func @map_scatter(%x: tensor<8x32xf32>, %y: tensor<32x8xf32>) -> tensor<32x8xf32> {
  %true = arith.constant true
  %0 = iree_linalg_ext.map_scatter %x into %y {
  ^bb0(%i: index, %j: index):
    iree_linalg_ext.yield %j, %i, %true : index, index, i1
  } : tensor<8x32xf32> into tensor<32x8xf32> -> tensor<32x8xf32>
  return %0 : tensor<32x8xf32>
}

// Some of them only.
func.func @masked(%x: tensor<128xf32>, %y: tensor<128xf32>) -> tensor<128xf32> {
  %c99 = arith.constant 99 : index
  %0 = iree_linalg_ext.map_scatter %x into %y {
  ^bb0(%i: index):
    %m = arith.cmpi ule, %i, %c99 : index
    %j = arith.subi %c99, %i : index
    iree_linalg_ext.yield %j, %m : index, i1
  } : tensor<128xf32> into tensor<128xf32> -> tensor<128xf32>
  return %0 : tensor<128xf32>
}

// In a thread it is a loop.
func.func @map_scatter_of_threads(%x: tensor<256xf32>, %y: tensor<256xf32>) -> tensor<256xf32> {
  %true = arith.constant true
  %c3 = arith.constant 3 : index
  %0 = scf.forall (%t) = (0) to (256) step (4) shared_outs(%o = %y) -> tensor<256xf32> {
    %p = tensor.extract_slice %x[%t] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %q = tensor.extract_slice %o[%t] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %s = iree_linalg_ext.map_scatter %p into %q {
    ^bb0(%i: index):
      %j = arith.subi %c3, %i : index
      iree_linalg_ext.yield %j, %true : index, i1
    } : tensor<4xf32> into tensor<4xf32> -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%t] [4] [1] : tensor<4xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  return %0 : tensor<256xf32>
}

// The same of the vector that the thread has.
func.func @map_scatter_of_vectors(%x: tensor<256xf32>, %y: tensor<256xf32>) -> tensor<256xf32> {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %0 = scf.forall (%t) = (0) to (256) step (4) shared_outs(%o = %y) -> tensor<256xf32> {
    %p = vector.transfer_read %x[%t], %zero {in_bounds = [true]} : tensor<256xf32>, vector<4xf32>
    %q = tensor.extract_slice %o[%t] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %s = iree_linalg_ext.map_scatter %p into %q {
    ^bb0(%i: index):
      %j = arith.subi %c3, %i : index
      iree_linalg_ext.yield %j, %true : index, i1
    } : vector<4xf32> into tensor<4xf32> -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%t] [4] [1] : tensor<4xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  return %0 : tensor<256xf32>
}

func.func @gather(%x: tensor<16x8xf32>, %i: tensor<16xi32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i : tensor<16x8xf32>, tensor<16xi32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// All keys are alike: the mean of the values.
func.func @attention(%q: tensor<2x16x8xf32>, %k: tensor<2x32x8xf32>, %v: tensor<2x32x4xf32>) -> tensor<2x16x4xf32> {
  %scale = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<2x16x4xf32>
  %0 = iree_linalg_ext.attention {indexing_maps = [
      affine_map<(b, m, n, k, j) -> (b, m, k)>, affine_map<(b, m, n, k, j) -> (b, j, k)>,
      affine_map<(b, m, n, k, j) -> (b, j, n)>, affine_map<(b, m, n, k, j) -> ()>,
      affine_map<(b, m, n, k, j) -> (b, m, n)>]}
    ins(%q, %k, %v, %scale : tensor<2x16x8xf32>, tensor<2x32x8xf32>, tensor<2x32x4xf32>, f32) outs(%e : tensor<2x16x4xf32>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<2x16x4xf32>
  return %0 : tensor<2x16x4xf32>
}

// The largest elements have labels, which are looked up.
func.func @labeled(%x: tensor<20x8xf32>, %labels: tensor<20x8xi32>) -> tensor<20x3xi32> {
  %values = tensor.empty() : tensor<20x3xf32>
  %indices = tensor.empty() : tensor<20x3xi32>
  %0:2 = iree_linalg_ext.topk dimension(1)
      ins(%x, %labels : tensor<20x8xf32>, tensor<20x8xi32>)
      outs(%values, %indices : tensor<20x3xf32>, tensor<20x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %first : i1
  } -> tensor<20x3xf32>, tensor<20x3xi32>
  return %0#1 : tensor<20x3xi32>
}
