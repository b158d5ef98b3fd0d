// A quotient of an extent by an argument is no affine expression: the grid is for the
// extent, which is no less.
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=divided --shape=0:210x11 --arg=0:iota --arg=1:fill:3 --shape=2:70x4 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '11 * (i // 4) + 1 + i % 4'
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// CHECK-LABEL: func.func @divided(
// CHECK-SAME: memspace.grid_size =
// CHECK: arith.divsi
// CHECK: return
func.func @divided(%x: tensor<?x11xf32>, %by: i64) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x11xf32>
  %ni = arith.index_cast %n : index to i64
  %q = arith.divsi %ni, %by : i64
  %rows = arith.index_cast %q : i64 to index
  %e = tensor.extract_slice %x[0, 1] [%rows, 4] [1, 1] : tensor<?x11xf32> to tensor<?x4xf32>
  return %e : tensor<?x4xf32>
}
