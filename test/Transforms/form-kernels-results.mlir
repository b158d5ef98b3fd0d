// What is stored at the end needs no kernel of its own.
// RUN: memspace-opt %s -memspace-form-kernels=chip=gfx942 | FileCheck %s

// Results of one loop that have one shape are of one kernel: each kernel does all that the
// loop does.
// CHECK-LABEL: func.func @exchanged(
// CHECK: %[[R:.*]]:2 = scf.for
// CHECK: %[[C:.*]]:2 = linalg.generic {{.*}} ins(%[[R]]#0, %[[R]]#1
// CHECK: bufferization.materialize_in_destination %[[C]]#0
// CHECK: bufferization.materialize_in_destination %[[C]]#1
// CHECK-NOT: call
// CHECK: return
func.func @exchanged(%x: tensor<5x5xf32>, %y: tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<5x5xf32>, tensor<5x5xf32>) {
    %e = tensor.empty() : tensor<5x5xf32>
    %s = linalg.add ins(%a, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
    scf.yield %b, %s : tensor<5x5xf32>, tensor<5x5xf32>
  }
  return %r#0, %r#1 : tensor<5x5xf32>, tensor<5x5xf32>
}

// Extents that are forgotten at the end are those of the result: no copy.
// CHECK-LABEL: func.func @forgotten(
// CHECK-SAME: %{{.*}}: memref<7x13xf32>, %[[OUT:.*]]: memref<?x13xf32>)
// CHECK: %[[E:.*]] = linalg.generic
// CHECK: %[[O:.*]] = memref.cast %[[OUT]] : memref<?x13xf32> to memref<7x13xf32>
// CHECK: bufferization.materialize_in_destination %[[E]] in restrict writable %[[O]]
// CHECK-NOT: call
// CHECK: return
func.func @forgotten(%x: tensor<7x13xf32>) -> tensor<?x13xf32> {
  %e = tensor.empty() : tensor<7x13xf32>
  %r = linalg.exp ins(%x : tensor<7x13xf32>) outs(%e : tensor<7x13xf32>) -> tensor<7x13xf32>
  %c = tensor.cast %r : tensor<7x13xf32> to tensor<?x13xf32>
  return %c : tensor<?x13xf32>
}
