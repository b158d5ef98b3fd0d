// What a forall promises of its destination it promises of memory that an op names, too:
// threads that share rows of a tile whose size nobody knows write elements of their own.
// RUN: memspace-test-opt %s -memspace-kernel-pipeline=chip=gfx942 -memspace-verify-barriers='chip=gfx942 may-hazards=error' -o - | FileCheck %s

// CHECK-LABEL: func.func @partial_tile
// CHECK: arith.remui
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @partial_tile(%x: memref<16x64xf32>, %rows: index, %columns: index) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %named = door.binding 0 : memref<16x64xf32>
  %y = door.rename %named : memref<16x64xf32> to memref<16x64xf32>
  %a = bufferization.to_tensor %x restrict : memref<16x64xf32> to tensor<16x64xf32>
  %b = bufferization.to_tensor %y restrict writable : memref<16x64xf32> to tensor<16x64xf32>
  %m = affine.min affine_map<()[s0] -> (s0, 16)>()[%rows]
  %n = affine.min affine_map<()[s0] -> (s0, 64)>()[%columns]
  %parts = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%n]
  %r = scf.forall (%i, %j) in (%m, %parts) shared_outs(%o = %b) -> tensor<16x64xf32> {
    %from = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %size = affine.min affine_map<(d0)[s0] -> (d0 * -4 + s0, 4)>(%j)[%n]
    %p = tensor.extract_slice %a[%i, %from] [1, %size] [1, 1] : tensor<16x64xf32> to tensor<1x?xf32>
    %q = tensor.extract_slice %o[%i, %from] [1, %size] [1, 1] : tensor<16x64xf32> to tensor<1x?xf32>
    %c = linalg.copy ins(%p : tensor<1x?xf32>) outs(%q : tensor<1x?xf32>) -> tensor<1x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, %from] [1, %size] [1, 1] : tensor<1x?xf32> into tensor<16x64xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<16x64xf32>, memref<16x64xf32>) -> ()
  return
}
