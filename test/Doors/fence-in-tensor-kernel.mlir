// RUN: memspace-test-opt %s -memspace-distribute-to-threads=subgroup-size=32 | FileCheck %s

// A barrier of another dialect is all threads' own, and no side effect to be
// executed once.
// CHECK-LABEL: @fence
// CHECK-NOT: scf.forall
// CHECK: door.fence
// CHECK: scf.forall
func.func @fence(%a: memref<64xf32>, %b: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = bufferization.to_tensor %a restrict : memref<64xf32> to tensor<64xf32>
  door.fence workgroup
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.copy ins(%t : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %b : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
