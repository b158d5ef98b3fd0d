// RUN: memspace-opt %s -memspace-normalize-kernels=chip=gfx942 -memspace-distribute-to-threads=chip=gfx942 -memspace-infer-memory-spaces=chip=gfx942 -memspace-bufferize=chip=gfx942 | FileCheck %s

// A tensor, and the copy of it that a conflict needs, as large as the result of a forall:
// that has the extents of its tile, 4 rows at most.
// CHECK-LABEL: func.func @k(
// CHECK-COUNT-2: memref.alloca() {{.*}} : memref<1024xi8, #gpu.address_space<private>>
// CHECK-COUNT-2: memref.view {{.*}} to memref<?x64xf32, #gpu.address_space<private>>
func.func @k(%x: memref<?x64xf32>, %y: memref<?x64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %xt = bufferization.to_tensor %x restrict : memref<?x64xf32> to tensor<?x64xf32>
  %yt = bufferization.to_tensor %y restrict writable : memref<?x64xf32> to tensor<?x64xf32>
  %r = scf.forall (%i) = (0) to (%n) step (4) shared_outs(%o = %yt) -> tensor<?x64xf32> {
    %m = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 4)>(%i)[%n]
    %a = bufferization.alloc_tensor(%m) : tensor<?x64xf32>
    %d = tensor.dim %a, %c0 : tensor<?x64xf32>
    %k = affine.apply affine_map<()[s0] -> (s0 * 64)>()[%d]
    %q = scf.forall (%j) in (%k) shared_outs(%p = %a) -> tensor<?x64xf32> {
      %l:2 = affine.delinearize_index %j into (%d, 64) : index, index
      %s = tensor.extract_slice %p[%l#0, %l#1] [1, 1] [1, 1] : tensor<?x64xf32> to tensor<1x1xf32>
      %g = linalg.fill ins(%f : f32) outs(%s : tensor<1x1xf32>) -> tensor<1x1xf32>
      scf.forall.in_parallel { tensor.parallel_insert_slice %g into %p[%l#0, %l#1] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<?x64xf32> }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    %d2 = tensor.dim %q, %c0 : tensor<?x64xf32>
    %b = bufferization.alloc_tensor(%d2) : tensor<?x64xf32>
    %c = linalg.copy ins(%q : tensor<?x64xf32>) outs(%b : tensor<?x64xf32>) -> tensor<?x64xf32>
    %e = tensor.extract_slice %o[%i, 0] [%m, 64] [1, 1] : tensor<?x64xf32> to tensor<?x64xf32>
    %h = linalg.add ins(%q, %c : tensor<?x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %h into %o[%i, 0] [%m, 64] [1, 1] : tensor<?x64xf32> into tensor<?x64xf32> }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?x64xf32>, memref<?x64xf32>) -> ()
  return
}
