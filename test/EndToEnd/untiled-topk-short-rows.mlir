// Untiled top-k of more elements than a row has, into outputs that are filled: the rest
// keeps what it was, on any chip, without a warning.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; x = np.random.default_rng(1).integers(-9, 9, (64, 5)); i = np.argsort(x, axis=1, kind='stable'); p = lambda a, v: np.pad(a, ((0, 0), (0, 4)), constant_values=v); np.save('%t/x.npy', x); np.save('%t/v.npy', p(np.sort(x, axis=1), 7)); np.save('%t/i.npy', p(i, -1).astype(np.int32))"

// DEFINE: %{chip} =
// DEFINE: %{run} = \
// DEFINE: memspace-opt %s -verify-diagnostics -memspace-compile-pipeline="chip=%{chip} may-hazards=error" -o %t/%{chip}.mlir && \
// DEFINE: memspace-runner %t/%{chip}.mlir --kernel=short_rows --chip=%{chip} --arg=0:npy:%t/x.npy --out=1:%t/rv.npy --out=2:%t/ri.npy && \
// DEFINE: %python %S/Inputs/close.py %t/v.npy %t/rv.npy && \
// DEFINE: %python %S/Inputs/close.py %t/i.npy %t/ri.npy

// REDEFINE: %{chip} = gfx942
// RUN: %{run}
// REDEFINE: %{chip} = gfx1100
// RUN: %{run}
// REDEFINE: %{chip} = sm_80
// RUN: %{run}
// REDEFINE: %{chip} = sm_90
// RUN: %{run}
func.func @short_rows(%x: tensor<64x5xi64>) -> (tensor<64x9xi64>, tensor<64x9xi32>) {
  %ve = tensor.empty() : tensor<64x9xi64>
  %ie = tensor.empty() : tensor<64x9xi32>
  %seven = arith.constant 7 : i64
  %none = arith.constant -1 : i32
  %v = linalg.fill ins(%seven : i64) outs(%ve : tensor<64x9xi64>) -> tensor<64x9xi64>
  %i = linalg.fill ins(%none : i32) outs(%ie : tensor<64x9xi32>) -> tensor<64x9xi32>
  %r:2 = memspace.topk dimension(1) ins(%x : tensor<64x5xi64>) values(%v : tensor<64x9xi64>) indices(%i : tensor<64x9xi32>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.cmpi slt, %a, %b : i64
    memspace.yield %c : i1
  } -> tensor<64x9xi64>, tensor<64x9xi32>
  return %r#0, %r#1 : tensor<64x9xi64>, tensor<64x9xi32>
}
