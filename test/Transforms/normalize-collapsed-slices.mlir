// A slice whose elements are not one behind the other is copied before it is
// collapsed: One-Shot would do so as well, to a buffer without a space.
//
// RUN: split-file %s %t
// RUN: memspace-opt %t/gap.mlir --memspace-normalize-kernels=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %t/plain.mlir --memspace-normalize-kernels=chip=gfx942 | FileCheck %s --check-prefix=PLAIN
// RUN: memspace-opt %t/gap.mlir --memspace-kernel-pipeline=chip=gfx942 | memspace-runner - --arg=0:iota --out=1:%t/gap.npy
// RUN: %python -c "import numpy as np; x = np.arange(128).reshape(8, 16); assert (np.load('%t/gap.npy') == x[:4, :8].ravel()).all()"
// RUN: memspace-opt %t/forall.mlir --memspace-kernel-pipeline=chip=gfx942 | memspace-runner - --arg=0:iota --out=1:%t/forall.npy
// RUN: %python -c "import numpy as np; x = np.arange(128.).reshape(8, 16); assert (np.load('%t/forall.npy') == [x[i:i + 4, :8].ravel() ** 2 for i in range(4)]).all()"
// RUN: memspace-opt %t/reshaped.mlir --memspace-kernel-pipeline=chip=gfx942 | memspace-runner - --arg=0:iota --shape=0:3x64x20 --shape=1:16 --out=1:%t/reshaped.npy
// RUN: %python -c "import numpy as np; x = np.arange(3 * 64 * 20).reshape(3, 64, 20); assert (np.load('%t/reshaped.npy') == x[0, :4, :8].reshape(8, 4)[:, 1:3].ravel()).all()"
// RUN: memspace-opt %t/large.mlir --memspace-kernel-pipeline=chip=gfx942 | memspace-runner - --arg=0:iota --out=1:%t/large.npy
// RUN: %python -c "import numpy as np; x = np.arange(128 * 128).reshape(128, 128); assert (np.load('%t/large.npy') == x[1:128:2, 2:66].ravel()).all()"
//
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[SLICE]]) : tensor<4x8xf32>
// CHECK: tensor.collapse_shape %[[COPY]]
//
// PLAIN-NOT: alloc_tensor
// PLAIN: %[[SLICE:.*]] = tensor.extract_slice
// PLAIN-NEXT: tensor.collapse_shape %[[SLICE]]

//--- gap.mlir
func.func @k(%a: memref<8x16xf32>, %b: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = bufferization.to_tensor %a restrict : memref<8x16xf32> to tensor<8x16xf32>
  %s = tensor.extract_slice %t[0, 0] [4, 8] [1, 1] : tensor<8x16xf32> to tensor<4x8xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  bufferization.materialize_in_destination %c in restrict writable %b : (tensor<32xf32>, memref<32xf32>) -> ()
  return
}

//--- plain.mlir
// Whole rows are one behind the other.
func.func @k(%a: memref<8x16xf32>, %b: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = bufferization.to_tensor %a restrict : memref<8x16xf32> to tensor<8x16xf32>
  %s = tensor.extract_slice %t[2, 0] [4, 16] [1, 1] : tensor<8x16xf32> to tensor<4x16xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x16xf32> into tensor<64xf32>
  bufferization.materialize_in_destination %c in restrict writable %b : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

//--- forall.mlir
// In each workgroup.
func.func @k(%a: memref<8x16xf32>, %b: memref<4x32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %t = bufferization.to_tensor %a restrict : memref<8x16xf32> to tensor<8x16xf32>
  %o = bufferization.to_tensor %b restrict writable : memref<4x32xf32> to tensor<4x32xf32>
  %r = scf.forall (%i) in (4) shared_outs(%x = %o) -> tensor<4x32xf32> {
    %s = tensor.extract_slice %t[%i, 0] [4, 8] [1, 1] : tensor<8x16xf32> to tensor<4x8xf32>
    %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
    %e = tensor.extract_slice %x[%i, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<32xf32>
    %n = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%c : tensor<32xf32>) outs(%e : tensor<32xf32>) {
    ^bb0(%p: f32, %q: f32):
      %m = arith.mulf %p, %p : f32
      linalg.yield %m : f32
    } -> tensor<32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %x[%i, 0] [1, 32] [1, 1] : tensor<32xf32> into tensor<4x32xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %b : (tensor<4x32xf32>, memref<4x32xf32>) -> ()
  return
}

//--- reshaped.mlir
// A shape of a shape, and a memref that has gaps itself.
func.func @k(%a: memref<?x64x?xf32, strided<[?, ?, 1]>>, %b: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = bufferization.to_tensor %a restrict : memref<?x64x?xf32, strided<[?, ?, 1]>> to tensor<?x64x?xf32>
  %o = bufferization.to_tensor %b restrict writable : memref<?xf32> to tensor<?xf32>
  %s = tensor.extract_slice %t[0, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<?x64x?xf32> to tensor<1x4x8xf32>
  %c1 = tensor.collapse_shape %s [[0, 1], [2]] : tensor<1x4x8xf32> into tensor<4x8xf32>
  %c = tensor.collapse_shape %c1 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [8, 4] : tensor<32xf32> into tensor<8x4xf32>
  %s2 = tensor.extract_slice %e[0, 1] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %c2 = tensor.collapse_shape %s2 [[0, 1]] : tensor<8x2xf32> into tensor<16xf32>
  %d = tensor.cast %c2 : tensor<16xf32> to tensor<?xf32>
  bufferization.materialize_in_destination %d in restrict writable %b : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

//--- large.mlir
// A copy that all threads share.
func.func @k(%a: memref<128x128xf32>, %b: memref<4096xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = bufferization.to_tensor %a restrict : memref<128x128xf32> to tensor<128x128xf32>
  %s = tensor.extract_slice %t[1, 2] [64, 64] [2, 1] : tensor<128x128xf32> to tensor<64x64xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
  bufferization.materialize_in_destination %c in restrict writable %b : (tensor<4096xf32>, memref<4096xf32>) -> ()
  return
}
