// Untiled scatters of rows into a table that a workgroup could keep, and upstream's gathers
// and scatters: each workgroup copies its part of an output that is read, and has its part
// of what is gathered.
// RUN: rm -rf %t && mkdir %t
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 -o %t/gfx942.mlir
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=sm_90 -o %t/sm_90.mlir
// RUN: FileCheck %s --input-file=%t/gfx942.mlir
// RUN: FileCheck %s --input-file=%t/sm_90.mlir
// RUN: %python -c "import numpy as np; g = np.random.default_rng(1); i = g.integers(0, 50, (100, 1)).astype(np.int32); p = g.permutation(40)[:6].astype(np.int32).reshape(6, 1); u = g.integers(-9, 9, (100, 32)).astype(np.float32); o = g.integers(-9, 9, (50, 32)).astype(np.float32); r = o.copy(); np.add.at(r, i[:, 0], u); t = g.random((40, 64), dtype=np.float32); v = g.random((6, 64), dtype=np.float32); s = t.copy(); s[p[:, 0]] = v; [np.save('%t/' + n + '.npy', a) for n, a in dict(i=i, p=p, u=u, o=o, r=r, t=t, v=v, s=s, g=t[p[:, 0]][:, None, :]).items()]"

// DEFINE: %{function} =
// DEFINE: %{args} =
// DEFINE: %{out} =
// DEFINE: %{right} =
// DEFINE: %{run} = \
// DEFINE: memspace-runner %t/gfx942.mlir --kernel=%{function} --chip=gfx942 %{args} --out=%{out}:%t/gfx942.npy && \
// DEFINE: %python %S/Inputs/close.py %t/%{right}.npy %t/gfx942.npy && \
// DEFINE: memspace-runner %t/sm_90.mlir --kernel=%{function} --chip=sm_90 %{args} --out=%{out}:%t/sm_90.npy && \
// DEFINE: %python %S/Inputs/close.py %t/%{right}.npy %t/sm_90.npy

// REDEFINE: %{function} = add_rows
// REDEFINE: %{args} = --arg=0:npy:%t/u.npy --arg=1:npy:%t/i.npy --arg=2:npy:%t/o.npy
// REDEFINE: %{out} = 3
// REDEFINE: %{right} = r
// RUN: %{run}
// CHECK-LABEL: func.func @add_rows(
// CHECK-SAME: memspace.workgroup_bytes = 0
func.func @add_rows(%u: tensor<100x32xf32>, %i: tensor<100x1xi32>, %o: tensor<50x32xf32>) -> tensor<50x32xf32> {
  %s = memspace.scatter scatter_dims([0]) ins(%u, %i : tensor<100x32xf32>, tensor<100x1xi32>) outs(%o : tensor<50x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    memspace.yield %r : f32
  } -> tensor<50x32xf32>
  return %s : tensor<50x32xf32>
}

// REDEFINE: %{function} = put_rows
// REDEFINE: %{args} = --arg=0:npy:%t/v.npy --arg=1:npy:%t/t.npy --arg=2:npy:%t/p.npy
// REDEFINE: %{out} = 3
// REDEFINE: %{right} = s
// RUN: %{run}
// CHECK-LABEL: func.func @put_rows(
func.func @put_rows(%u: tensor<6x64xf32>, %t: tensor<40x64xf32>, %i: tensor<6x1xi32>) -> tensor<40x64xf32> {
  %g = tensor.scatter %u into %t[%i] scatter_dims([0]) unique : (tensor<6x64xf32>, tensor<40x64xf32>, tensor<6x1xi32>) -> tensor<40x64xf32>
  return %g : tensor<40x64xf32>
}

// REDEFINE: %{function} = take_rows
// REDEFINE: %{args} = --arg=0:npy:%t/t.npy --arg=1:npy:%t/p.npy
// REDEFINE: %{out} = 2
// REDEFINE: %{right} = g
// RUN: %{run}
// CHECK-LABEL: func.func @take_rows(
// CHECK-SAME: memspace.workgroup_bytes = 0
func.func @take_rows(%t: tensor<40x64xf32>, %i: tensor<6x1xi32>) -> tensor<6x1x64xf32> {
  %g = tensor.gather %t[%i] gather_dims([0]) : (tensor<40x64xf32>, tensor<6x1xi32>) -> tensor<6x1x64xf32>
  return %g : tensor<6x1x64xf32>
}
