// RUN: %python %S/run.py %s
// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s
// The same by threads that read the slices which they write, by the name that
// the tile had before, and, in the second loop, of the tile itself.
// EXPECT workgroup_bytes=256 private_bytes=0 barriers=1
// RESULT a1 = (9 * a0)[::-1]
func.func @loop_updates_own_slices(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // CHECK-NOT: iter_args
  // CHECK:     %[[TILE:.*]] = memref.view
  // CHECK-NOT: memref.view
  // CHECK:     scf.for %{{.*}} = %c0 to %c4 step %c1 {
  // CHECK:       %[[OWN:.*]] = memref.subview %[[TILE]][
  // CHECK:       memref.load %[[OWN]][
  // CHECK:       memref.store %{{.*}}, %[[OWN]][
  // CHECK:     scf.for %{{.*}} = %c0 to %c4 step %c1 {
  // CHECK:       %[[OWN:.*]] = memref.subview %[[TILE]][
  // CHECK:       memref.load %[[OWN]][
  // CHECK:       memref.store %{{.*}}, %[[OWN]][
  // CHECK:     gpu.barrier
  // CHECK:     memref.load %[[TILE]][
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %e0 = tensor.empty() : tensor<64xi32>
  %s = linalg.copy ins(%xt : tensor<64xi32>) outs(%e0 : tensor<64xi32>) -> tensor<64xi32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %s) -> (tensor<64xi32>) {
    %e = tensor.empty() : tensor<64xi32>
    %l = scf.forall (%t) in (64) shared_outs(%o = %e) -> (tensor<64xi32>) {
      %p = tensor.extract_slice %a[%t] [1] [1] : tensor<64xi32> to tensor<1xi32>
      %q = tensor.extract_slice %xt[%t] [1] [1] : tensor<64xi32> to tensor<1xi32>
      %d = tensor.extract_slice %o[%t] [1] [1] : tensor<64xi32> to tensor<1xi32>
      %g = linalg.add ins(%p, %q : tensor<1xi32>, tensor<1xi32>) outs(%d : tensor<1xi32>) -> tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %g into %o[%t] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %l : tensor<64xi32>
  }
  %u = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %r) -> (tensor<64xi32>) {
    %l = scf.forall (%t) in (64) shared_outs(%o = %a) -> (tensor<64xi32>) {
      %p = tensor.extract_slice %a[%t] [1] [1] : tensor<64xi32> to tensor<1xi32>
      %q = tensor.extract_slice %xt[%t] [1] [1] : tensor<64xi32> to tensor<1xi32>
      %d = tensor.extract_slice %o[%t] [1] [1] : tensor<64xi32> to tensor<1xi32>
      %g = linalg.add ins(%p, %q : tensor<1xi32>, tensor<1xi32>) outs(%d : tensor<1xi32>) -> tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %g into %o[%t] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %l : tensor<64xi32>
  }
  %e2 = tensor.empty() : tensor<64xi32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%u : tensor<64xi32>) outs(%e2 : tensor<64xi32>) {
  ^bb0(%p: i32, %q: i32):
    linalg.yield %p : i32
  } -> tensor<64xi32>
  bufferization.materialize_in_destination %t in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
