// RUN: %python %S/run.py %s
// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s
// Each loop makes a tensor anew for the one inside. What an outer loop began
// with is not needed by then: both go to and fro between the same two buffers,
// however deep the loops are, and the innermost steps have one more.
// EXPECT workgroup_bytes=768 private_bytes=0
// RESULT a1 = __import__("functools").reduce(lambda s, f: f(s), ([lambda s: s[::-1] + 1] + ([lambda s: s[::-1] + 2] + [lambda s: s[::-1] + 3, lambda s: s[::-1] + 4] * 2) * 2) * 3, a0)
func.func @nested_fresh_in_turns(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // CHECK: %[[A:.*]] = memref.view
  // CHECK: %[[B:.*]] = memref.view
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A0:.*]] = %[[A]], %[[B0:.*]] = %[[B]])
  // CHECK:   %[[S:.*]]:2 = scf.for {{.*}} iter_args(%[[A1:.*]] = %[[B0]], %[[B1:.*]] = %[[A0]])
  // CHECK:     scf.for %{{.*}} = %c0 to %c2 step %c1 {
  // CHECK:       memref.view
  // CHECK:     scf.yield %[[B1]], %[[A1]]
  // CHECK:   scf.yield
  // CHECK-NOT: iter_args
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i4 = arith.constant 4 : i32
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %e0 = tensor.empty() : tensor<64xi32>
  %s = linalg.copy ins(%xt : tensor<64xi32>) outs(%e0 : tensor<64xi32>) -> tensor<64xi32>
  %r0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a0 = %s) -> (tensor<64xi32>) {
    %f0 = tensor.empty() : tensor<64xi32>
    %p0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a0 : tensor<64xi32>) outs(%f0 : tensor<64xi32>) {
    ^bb0(%v: i32, %o: i32):
      %w = arith.addi %v, %i1 : i32
      linalg.yield %w : i32
    } -> tensor<64xi32>
    %r1 = scf.for %j = %c0 to %c2 step %c1 iter_args(%a1 = %p0) -> (tensor<64xi32>) {
      %f1 = tensor.empty() : tensor<64xi32>
      %p1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a1 : tensor<64xi32>) outs(%f1 : tensor<64xi32>) {
      ^bb0(%v: i32, %o: i32):
        %w = arith.addi %v, %i2 : i32
        linalg.yield %w : i32
      } -> tensor<64xi32>
      %r2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%a2 = %p1) -> (tensor<64xi32>) {
        %f2 = tensor.empty() : tensor<64xi32>
        %p2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a2 : tensor<64xi32>) outs(%f2 : tensor<64xi32>) {
        ^bb0(%v: i32, %o: i32):
          %w = arith.addi %v, %i3 : i32
          linalg.yield %w : i32
        } -> tensor<64xi32>
        %f3 = tensor.empty() : tensor<64xi32>
        %p3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%p2 : tensor<64xi32>) outs(%f3 : tensor<64xi32>) {
        ^bb0(%v: i32, %o: i32):
          %w = arith.addi %v, %i4 : i32
          linalg.yield %w : i32
        } -> tensor<64xi32>
        scf.yield %p3 : tensor<64xi32>
      }
      scf.yield %r2 : tensor<64xi32>
    }
    scf.yield %r1 : tensor<64xi32>
  }
  bufferization.materialize_in_destination %r0 in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
