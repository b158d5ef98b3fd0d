// Results of one loop are stored together only where nobody looks at the memory of the
// first one in between, or stores something else there.
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=looked_at --arg=0:fill:1 --arg=1:fill:100 --out=1:%t.1.npy --out=2:%t.2.npy --out=3:%t.3.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.1.npy '3 + 0 * i'
// RUN: %python %S/../Emulator/Inputs/compare.py %t.2.npy '5 + 0 * i'
// RUN: %python %S/../Emulator/Inputs/compare.py %t.3.npy '-3 + 0 * i'
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// CHECK-LABEL: func.func @looked_at(
// CHECK: call @looked_at_kernel0
// CHECK: return
func.func @looked_at(%x: memref<5x5xf32>, %m: memref<5x5xf32>, %o: memref<5x5xf32>, %p: memref<5x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 3 : index
  %t = bufferization.to_tensor %x restrict : memref<5x5xf32> to tensor<5x5xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<5x5xf32>, tensor<5x5xf32>) {
    %e = tensor.empty() : tensor<5x5xf32>
    %s = linalg.add ins(%a, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
    scf.yield %b, %s : tensor<5x5xf32>, tensor<5x5xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %m : (tensor<5x5xf32>, memref<5x5xf32>) -> ()
  %u = bufferization.to_tensor %m restrict : memref<5x5xf32> to tensor<5x5xf32>
  %e = tensor.empty() : tensor<5x5xf32>
  %v = linalg.negf ins(%u : tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  bufferization.materialize_in_destination %v in restrict writable %p : (tensor<5x5xf32>, memref<5x5xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %o : (tensor<5x5xf32>, memref<5x5xf32>) -> ()
  return
}
