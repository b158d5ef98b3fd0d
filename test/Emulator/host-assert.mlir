// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 -memspace-outline-kernels=chip=gfx942 -o %t.mlir
// RUN: memspace-runner %t.mlir --kernel=asserted --arg=0:random:1 --shape=0:20x16 --arg=1:random:2 --shape=1:20x16 --shape=2:20x16 | FileCheck %s
// RUN: not memspace-runner %t.mlir --kernel=asserted --arg=0:random:1 --shape=0:20x16 --arg=1:random:2 --shape=1:21x16 --shape=2:20x16 2>&1 | FileCheck %s --check-prefix=FAILS

// The host asserts before it launches.
// CHECK: races: 0
// FAILS: error: the host's assertion fails: sizes differ
func.func @asserted(%x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x16xf32>
  %n = tensor.dim %y, %c0 : tensor<?x16xf32>
  %same = arith.cmpi eq, %m, %n : index
  cf.assert %same, "sizes differ"
  %e = tensor.empty(%m) : tensor<?x16xf32>
  %r = linalg.add ins(%x, %y : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
