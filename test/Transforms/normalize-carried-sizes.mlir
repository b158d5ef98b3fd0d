// RUN: memspace-opt %s -memspace-normalize-kernels=subgroup-size=32 | FileCheck %s

// The buffer of a carried tensor is the same in all iterations, so its extents
// must be. Tensors that are updated, exchanged, or of the size of another one keep them.

// CHECK-LABEL: func @kept
// CHECK: scf.for
// CHECK: linalg.add
// CHECK-COUNT-3: linalg.copy {memspace.carried}
// CHECK: scf.yield
func.func @kept(%x: memref<?xf32>, %y: memref<?xf32>, %out: memref<?xf32>, %c: i1)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %f = arith.constant 1.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %n = tensor.dim %xt, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.exp ins(%xt : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %e2 = tensor.empty(%m) : tensor<?xf32>
  %b = linalg.fill ins(%f : f32) outs(%e2 : tensor<?xf32>) -> tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %a, %q = %b) -> (tensor<?xf32>, tensor<?xf32>) {
    %k = tensor.dim %q, %c0 : tensor<?xf32>
    %fresh = tensor.empty(%k) : tensor<?xf32>
    %s = linalg.add ins(%p, %q : tensor<?xf32>, tensor<?xf32>) outs(%p : tensor<?xf32>) -> tensor<?xf32>
    %t = scf.if %c -> tensor<?xf32> {
      %u = linalg.exp ins(%q : tensor<?xf32>) outs(%fresh : tensor<?xf32>) -> tensor<?xf32>
      scf.yield %u : tensor<?xf32>
    } else {
      scf.yield %q : tensor<?xf32>
    }
    scf.yield %t, %s : tensor<?xf32>, tensor<?xf32>
  }
  %ot = linalg.sub ins(%r#0, %r#1 : tensor<?xf32>, tensor<?xf32>) outs(%r#0 : tensor<?xf32>) -> tensor<?xf32>
  bufferization.materialize_in_destination %ot in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
