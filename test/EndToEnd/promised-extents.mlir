// Extents that the caller promises to be multiples of the tiles have no edges: no tile of
// another size, no element guarded, and each thread copies its part at once.
// RUN: rm -rf %t && mkdir %t
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 -o %t/gfx942.mlir
// RUN: sed '/func.func @two_kernel1/,$d' %t/gfx942.mlir | FileCheck %s --implicit-check-not=affine.min --implicit-check-not=minsi
// RUN: FileCheck %s --input-file=%t/gfx942.mlir --check-prefix=NUMBERS
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=sm_90 -o %t/sm_90.mlir

// Right for several sizes.
// DEFINE: %{rows} =
// DEFINE: %{run} = \
// DEFINE:   memspace-runner %t/gfx942.mlir --kernel=matmul --arg=0:random:1 --arg=1:random:2 --shape=0:%{rows}x320 \
// DEFINE:     --shape=2:%{rows}x16 --out=2:%t/gfx942.npy && \
// DEFINE:   memspace-runner %t/sm_90.mlir --kernel=matmul --arg=0:random:1 --arg=1:random:2 --shape=0:%{rows}x320 \
// DEFINE:     --shape=2:%{rows}x16 --out=2:%t/sm_90.npy && \
// DEFINE:   memspace-runner %t/plain.mlir --kernel=matmul --arg=0:random:1 --arg=1:random:2 --shape=0:%{rows}x320 \
// DEFINE:     --shape=2:%{rows}x16 --out=2:%t/plain.npy && \
// DEFINE:   cmp %t/gfx942.npy %t/plain.npy && cmp %t/sm_90.npy %t/plain.npy
// The same without a promise, in the same order of sums.
// RUN: sed 's/{memspace.bounds[^}]*}, {}]}//; s/{memspace.bounds[^}]*}}//' %s | memspace-opt -memspace-compile-pipeline=chip=gfx942 -o %t/plain.mlir
// RUN: grep affine.min %t/plain.mlir
// REDEFINE: %{rows} = 128
// RUN: %{run}
// REDEFINE: %{rows} = 384
// RUN: %{run}

// Who breaks a promise is told, by the kernel and by the host.
// RUN: not memspace-runner %t/gfx942.mlir --kernel=matmul --shape=0:192x320 --shape=2:192x16 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: extent 0 of argument 0 is 192, but 'memspace.bounds' promises that it is at least 128, at most 524160, a multiple of 128
// RUN: not memspace-runner %t/gfx942.mlir --kernel=two --shape=0:96x64 --shape=1:64x64 --shape=3:96x64 --shape=4:65 --arg=2:fill:65 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: the value of argument 2 is 65, but 'memspace.bounds' promises that it is at least 32, at most 320, a multiple of 32
// RUN: memspace-runner %t/gfx942.mlir --kernel=two --shape=0:96x64 --shape=1:64x64 --shape=3:96x64 --shape=4:64 --arg=0:random:1 --arg=1:random:2 --arg=2:fill:64

// CHECK: func.func @matmul
// CHECK: scf.for
// CHECK:   gpu.barrier
// CHECK:   memref.subview {{.*}} [1, {{[48]}}] [1, 1] : memref<{{.*}}f16

// What the host promises to its kernels follows from what it is promised; tiles of 48 and
// 96 rows have no edge either.
// CHECK: func.func @two_kernel0(%{{.*}}: memref<?x64xf32> {memspace.bounds = [{max = 9600 : i64, min = 96 : i64, multiple_of = 96 : i64}, {}]{{.*}}, %{{.*}}: memref<?x64xf32>{{.*}}, %{{.*}}: memref<?x64xf32> {memspace.bounds = [{max = 9600 : i64,{{.*}} multiple_of = 96 : i64}, {}]
// NUMBERS: func.func @two_kernel1(%{{.*}}: index {memspace.bounds = {max = 320 : i64, min = 32 : i64, multiple_of = 32 : i64}}, %{{.*}}: memref<?xf32> {memspace.bounds = [{max = 320 : i64, min = 32 : i64, multiple_of = 32 : i64}]

func.func @matmul(%a: tensor<?x320xf16> {memspace.bounds = [{min = 128, max = 524160, multiple_of = 128}, {}]}, %b: tensor<320x16xf16>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x320xf16>
  %empty = tensor.empty(%m) : tensor<?x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x16xf32>) -> tensor<?x16xf32>
  %product = linalg.matmul ins(%a, %b : tensor<?x320xf16>, tensor<320x16xf16>) outs(%fill : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %product : tensor<?x16xf32>
}

func.func @two(%a: tensor<?x64xf32> {memspace.bounds = [{min = 96, max = 9600, multiple_of = 96}, {}]}, %b: tensor<?x64xf32>, %n: index {memspace.bounds = {min = 32, max = 320, multiple_of = 32}}) -> (tensor<?x64xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %empty = tensor.empty(%m) : tensor<?x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x64xf32>) -> tensor<?x64xf32>
  %product = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<?x64xf32>) outs(%fill : tensor<?x64xf32>) -> tensor<?x64xf32>
  %emptyRow = tensor.empty(%n) : tensor<?xf32>
  %row = linalg.fill ins(%zero : f32) outs(%emptyRow : tensor<?xf32>) -> tensor<?xf32>
  return %product, %row : tensor<?x64xf32>, tensor<?xf32>
}
