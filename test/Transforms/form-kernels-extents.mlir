// The host knows extents through ops on whole tensors; and a long reduction of two loops with
// several results is split as one with one result is.
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: memspace-runner %t.mlir --kernel=powers --chip=gfx942 --shape=0:3x5 --arg=0:iota --arg=1:fill:4 --shape=2:12x5 --shape=3:3x5 --out=2:%t.all.npy --out=3:%t.last.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.all.npy '(i % 15) * (i // 15 + 1)'
// RUN: %python %S/../Emulator/Inputs/compare.py %t.last.npy 'i * 5'
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// CHECK: func.func @powers(
// CHECK: scf.for
// CHECK: func.call @powers_part
func.func @powers(%x: tensor<?x?xf32>, %k: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d = tensor.dim %x, %c1 : tensor<?x?xf32>
  %nk = arith.muli %n, %k : index
  %all = tensor.empty(%nk, %d) : tensor<?x?xf32>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%a = %all, %v = %x) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %w = arith.addf %v, %x : tensor<?x?xf32>
    %p = arith.muli %i, %n : index
    %b = tensor.insert_slice %v into %a[%p, 0] [%n, %d] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
    scf.yield %b, %w : tensor<?x?xf32>, tensor<?x?xf32>
  }
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK: func.func @sums_kernel0
// CHECK: func.func @sums_kernel1
func.func @sums(%x: tensor<641x523xi32>) -> (tensor<i32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<641x523xi32>) outs(%f, %f : tensor<i32>, tensor<i32>) {
  ^bb0(%a: i32, %s: i32, %q: i32):
    %p = arith.muli %a, %a : i32
    %t = arith.addi %s, %a : i32
    %u = arith.addi %q, %p : i32
    linalg.yield %t, %u : i32, i32
  } -> (tensor<i32>, tensor<i32>)
  return %r#0, %r#1 : tensor<i32>, tensor<i32>
}
