// RUN: %python %S/run.py %s
// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s
// There and back in each iteration: what the second step makes goes where the
// first one had its values from, which nobody needs by then. Two buffers, and
// nothing changes places.
// EXPECT workgroup_bytes=512 private_bytes=0
// RESULT a1 = a0 * 4 + 1
func.func @loop_of_two_steps(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // CHECK-NOT: iter_args
  // CHECK:     %[[TILE:.*]] = memref.view
  // CHECK:     scf.for %{{.*}} = %c0 to %c2 step %c1 {
  // CHECK:       %[[OTHER:.*]] = memref.view
  // CHECK:       %[[THERE:.*]] = memref.subview %[[OTHER]][
  // CHECK:       memref.load %[[TILE]][
  // CHECK:       memref.store %{{.*}}, %[[THERE]][
  // CHECK:       %[[BACK:.*]] = memref.subview %[[TILE]][
  // CHECK:       gpu.barrier
  // CHECK:       memref.load %[[OTHER]][
  // CHECK:       memref.store %{{.*}}, %[[BACK]][
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i1 = arith.constant 1 : i32
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %e0 = tensor.empty() : tensor<64xi32>
  %s = linalg.copy ins(%xt : tensor<64xi32>) outs(%e0 : tensor<64xi32>) -> tensor<64xi32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %s) -> (tensor<64xi32>) {
    %e1 = tensor.empty() : tensor<64xi32>
    %p = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<64xi32>) outs(%e1 : tensor<64xi32>) {
    ^bb0(%v: i32, %o: i32):
      %w = arith.addi %v, %v : i32
      linalg.yield %w : i32
    } -> tensor<64xi32>
    %e2 = tensor.empty() : tensor<64xi32>
    %q = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%p : tensor<64xi32>) outs(%e2 : tensor<64xi32>) {
    ^bb0(%v: i32, %o: i32):
      linalg.yield %v : i32
    } -> tensor<64xi32>
    scf.yield %q : tensor<64xi32>
  }
  %e3 = tensor.empty() : tensor<64xi32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%r : tensor<64xi32>) outs(%e3 : tensor<64xi32>) {
  ^bb0(%v: i32, %o: i32):
    %w = arith.addi %v, %i1 : i32
    linalg.yield %w : i32
  } -> tensor<64xi32>
  bufferization.materialize_in_destination %t in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
