// A slice keeps some of its dimensions of size 1 and drops others. Upstream finds
// no dimensions, or the wrong ones, where one that is kept has a step or where
// strides are unknown.
//
// RUN: split-file %s %t
// RUN: memspace-runner %t/step.mlir --arg=0:iota --arg=2:fill:1 --out=1:%t/step-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/step-1.npy "48 + 3 * i"
// RUN: memspace-runner %t/chain.mlir --shape=0:4x5x6 --arg=0:iota --arg=2:fill:3 --out=1:%t/chain-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/chain-1.npy "3 * 30 + 6 + 2 * i"
// RUN: memspace-runner %t/dim.mlir --shape=0:4x8x3 --arg=0:iota --arg=2:fill:4 --out=1:%t/dim-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/dim-1.npy "6 * i"
// RUN: memspace-runner %t/whole.mlir --arg=0:fill:5 --out=1:%t/whole-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/whole-1.npy "5 + 0 * i"
// RUN: not memspace-runner %t/dim.mlir --shape=0:4x8x3 --arg=0:iota --arg=2:fill:5 2>&1 | FileCheck %t/dim.mlir
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0
//
// The same kernels on their way to assembly.
// RUN: memspace-opt %t/step.mlir --memspace-outline-kernels=chip=gfx942 | FileCheck %s --check-prefix=SPLIT
// RUN: memspace-opt %t/step.mlir --memspace-outline-kernels=chip=gfx942 | memspace-runner - --arg=0:iota --arg=2:fill:1 --out=1:%t/outlined-1.npy
// RUN: %compare %t/outlined-1.npy "48 + 3 * i"
// RUN: memspace-opt %t/step.mlir --memspace-rocdl-backend-pipeline=chip=gfx942 | FileCheck %s --check-prefix=ASSEMBLY
// RUN: memspace-opt %t/chain.mlir --memspace-nvvm-backend-pipeline=chip=sm_90 | FileCheck %s --check-prefix=ASSEMBLY
// RUN: memspace-opt %t/dim.mlir --memspace-rocdl-backend-pipeline=chip=gfx942 | FileCheck %s --check-prefix=ASSEMBLY
// ASSEMBLY: gpu.binary
//
// SPLIT: %[[WHOLE:.*]] = memref.subview %{{.*}}[2, 0, 0, 0, 0] [1, %{{.*}}, 1, 4, 1] [1, 1, %{{.*}}, 1, 3] : memref<3x1x2x4x3xf32> to memref<1x?x1x4x1xf32, strided<[24, 24, ?, 3, 3], offset: 48>>
// SPLIT: %[[BASE:.*]], %{{.*}}, %[[SIZES:.*]]:5, %[[STRIDES:.*]]:5 = memref.extract_strided_metadata %[[WHOLE]]
// SPLIT: memref.reinterpret_cast %[[BASE]] to offset: [48], sizes: [%[[SIZES]]#1, 1, 4], strides: [24, %[[STRIDES]]#2, 3]

//--- step.mlir
func.func @k(%in: memref<3x1x2x4x3xf32>, %out: memref<4xf32>, %one: index) attributes {gpu.known_block_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %slice = memref.subview %in[2, 0, 0, 0, 0] [1, %one, 1, 4, 1] [1, 1, %one, 1, 3] : memref<3x1x2x4x3xf32> to memref<?x1x4xf32, strided<[24, ?, 3], offset: 48>>
  %x = memref.load %slice[%c0, %c0, %t] : memref<?x1x4xf32, strided<[24, ?, 3], offset: 48>>
  memref.store %x, %out[%t] : memref<4xf32>
  return
}

//--- chain.mlir
// A slice of a slice, at places that only the launch knows.
func.func @k(%in: memref<4x?x6xf32>, %out: memref<3xf32>, %o: index) attributes {gpu.known_block_size = array<i32: 3, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %outer = memref.subview %in[%o, 1, 0] [1, 1, 3] [2, 3, 2] : memref<4x?x6xf32> to memref<1x3xf32, strided<[?, 2], offset: ?>>
  %inner = memref.subview %outer[0, 0] [1, 3] [5, 1] : memref<1x3xf32, strided<[?, 2], offset: ?>> to memref<1x3xf32, strided<[?, 2], offset: ?>>
  %x = memref.load %inner[%c0, %t] : memref<1x3xf32, strided<[?, 2], offset: ?>>
  memref.store %x, %out[%t] : memref<3xf32>
  return
}

//--- dim.mlir
// All strides are unknown, and the extent is asked for.
// CHECK: dim.mlir:[[#@LINE+10]]:{{[0-9]+}}: error: out of bounds: thread (4, 0, 0) uses index 8 of dimension 1, whose size is 8
// CHECK: out of bounds: 2,
func.func @k(%in: memref<4x8x?xf32>, %out: memref<4xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 8, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %slice = memref.subview %in[0, 0, 0] [1, %n, 1] [1, 2, 1] : memref<4x8x?xf32> to memref<1x?xf32, strided<[?, ?]>>
  %size = memref.dim %slice, %c1 : memref<1x?xf32, strided<[?, ?]>>
  %inside = arith.cmpi ult, %t, %size : index
  scf.if %inside {
    %x = memref.load %slice[%c0, %t] : memref<1x?xf32, strided<[?, ?]>>
    memref.store %x, %out[%t] : memref<4xf32>
  }
  return
}

//--- whole.mlir
// All of its source, of which it has the layout, so that only the dropped
// dimension remains of the slice.
func.func @k(%in: memref<1x1xf32>, %out: memref<1xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
  %s = memref.subview %a[7] [1] [1] : memref<8xf32, #gpu.address_space<private>> to memref<1xf32, strided<[1], offset: 7>, #gpu.address_space<private>>
  %e = memref.expand_shape %s [[0, 1]] output_shape [1, 1] : memref<1xf32, strided<[1], offset: 7>, #gpu.address_space<private>> into memref<1x1xf32, strided<[1, 1], offset: 7>, #gpu.address_space<private>>
  %slice = memref.subview %e[0, 0] [1, 1] [1, 1] : memref<1x1xf32, strided<[1, 1], offset: 7>, #gpu.address_space<private>> to memref<1xf32, strided<[1], offset: 7>, #gpu.address_space<private>>
  %v = memref.load %in[%c0, %c0] : memref<1x1xf32>
  scf.for %i = %c0 to %c1 step %c1 {
    memref.store %v, %slice[%i] : memref<1xf32, strided<[1], offset: 7>, #gpu.address_space<private>>
    %x = memref.load %slice[%i] : memref<1xf32, strided<[1], offset: 7>, #gpu.address_space<private>>
    memref.store %x, %out[%i] : memref<1xf32>
  }
  return
}
