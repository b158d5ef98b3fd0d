// Accumulators in the slice of the output that a block has.
// RUN: memspace-opt %s -split-input-file -memspace-normalize-kernels=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-normalize-kernels='chip=gfx942 private-limit=15' | FileCheck %s --check-prefix=LIMIT

// Each thread has 16 bytes of the tile, whose contents are needed.

// CHECK-LABEL: @updated
// CHECK: %[[TILE:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}] [256] [1] : tensor<512xf32> to tensor<256xf32>
// CHECK: %[[FRESH:.*]] = bufferization.alloc_tensor() : tensor<256xf32>
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[TILE]] : tensor<256xf32>) outs(%[[FRESH]] : tensor<256xf32>)
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]])
// LIMIT-LABEL: @updated
// LIMIT: %[[TILE:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}] [256] [1] : tensor<512xf32> to tensor<256xf32>
// LIMIT-NOT: {{tensor.empty|alloc_tensor}}
// LIMIT: scf.for {{.*}} iter_args(%{{.*}} = %[[TILE]])
func.func @updated(%X: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = bufferization.to_tensor %X restrict writable : memref<512xf32> to tensor<512xf32>
  %r = scf.forall (%b) in (2) shared_outs(%o = %x) -> (tensor<512xf32>) {
    %f = affine.apply affine_map<(d0) -> (d0 * 256)>(%b)
    %tile = tensor.extract_slice %o[%f] [256] [1] : tensor<512xf32> to tensor<256xf32>
    %l = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %tile) -> (tensor<256xf32>) {
      %n = scf.forall (%t) in (64) shared_outs(%p = %a) -> (tensor<256xf32>) {
        %g = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)
        %s = tensor.extract_slice %p[%g] [4] [1] : tensor<256xf32> to tensor<4xf32>
        %d = linalg.exp ins(%s : tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %d into %p[%g] [4] [1] : tensor<4xf32> into tensor<256xf32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %n : tensor<256xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %l into %o[%f] [256] [1] : tensor<256xf32> into tensor<512xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %X : (tensor<512xf32>, memref<512xf32>) -> ()
  return
}

// -----

// The sum over the whole tile, at the end, is an op that reads what other threads have.

// CHECK-LABEL: @reduced
// CHECK: %[[TILE:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}] [256] [1] : tensor<512xf32> to tensor<256xf32>
// CHECK-NOT: {{tensor.empty|bufferization.alloc_tensor}}() : tensor<256xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[TILE]])
func.func @reduced(%X: memref<512xf32>, %Y: memref<2xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %x = bufferization.to_tensor %X restrict writable : memref<512xf32> to tensor<512xf32>
  %y = tensor.empty() : tensor<2xf32>
  %r:2 = scf.forall (%b) in (2) shared_outs(%o = %x, %q = %y) -> (tensor<512xf32>, tensor<2xf32>) {
    %f = affine.apply affine_map<(d0) -> (d0 * 256)>(%b)
    %tile = tensor.extract_slice %o[%f] [256] [1] : tensor<512xf32> to tensor<256xf32>
    %l = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %tile) -> (tensor<256xf32>) {
      %n = scf.forall (%t) in (64) shared_outs(%p = %a) -> (tensor<256xf32>) {
        %g = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)
        %s = tensor.extract_slice %p[%g] [4] [1] : tensor<256xf32> to tensor<4xf32>
        %d = linalg.exp ins(%s : tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %d into %p[%g] [4] [1] : tensor<4xf32> into tensor<256xf32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %n : tensor<256xf32>
    }
    %one = tensor.extract_slice %q[%b] [1] [1] : tensor<2xf32> to tensor<f32>
    %init = linalg.fill ins(%zero : f32) outs(%one : tensor<f32>) -> tensor<f32>
    %sum = linalg.reduce { arith.addf } ins(%l : tensor<256xf32>) outs(%init : tensor<f32>) dimensions = [0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %l into %o[%f] [256] [1] : tensor<256xf32> into tensor<512xf32>
      tensor.parallel_insert_slice %sum into %q[%b] [1] [1] : tensor<f32> into tensor<2xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r#0 in restrict writable %X : (tensor<512xf32>, memref<512xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %Y : (tensor<2xf32>, memref<2xf32>) -> ()
  return
}
