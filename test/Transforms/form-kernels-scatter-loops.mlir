// The loops of a scatter are those of its updates, whatever the table looks like:
// the 4096 columns of rows that go to one column of 4096 rows are shared by
// workgroups.
// RUN: memspace-opt %s -memspace-form-kernels=chip=gfx942 -memspace-fit-to-budget=chip=gfx942 | FileCheck %s

// CHECK-LABEL: func.func @into_one_column
// CHECK: scf.forall (%{{.*}}) = (0) to (4096) step (16)
// CHECK: memspace.scatter
// CHECK: mapping = [#gpu.block<x>]
func.func @into_one_column(%u: tensor<100x4096xf32>, %i: tensor<100x1xi32>, %o: tensor<4096x1xf32>)
    -> tensor<4096x1xf32> {
  %s = memspace.scatter scatter_dims([1]) ins(%u, %i : tensor<100x4096xf32>, tensor<100x1xi32>)
      outs(%o : tensor<4096x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    memspace.yield %r : f32
  } -> tensor<4096x1xf32>
  return %s : tensor<4096x1xf32>
}
