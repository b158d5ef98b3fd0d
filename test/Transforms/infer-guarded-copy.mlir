// Copies of what one thread updates.
// RUN: memspace-opt %s -memspace-normalize-kernels=chip=gfx942 -memspace-distribute-to-threads=chip=gfx942 -memspace-infer-memory-spaces=chip=gfx942 | FileCheck %s

// The memory is read-only, so that each insertion needs a copy. The thread that inserts
// would copy 256 elements alone; all threads and a barrier are less work.

// CHECK-LABEL: func @long
// CHECK: scf.for
// CHECK:   scf.forall (%{{.*}}) in (64) shared_outs
// CHECK:     linalg.copy {{.*}}the memory is read-only
// CHECK:   scf.forall (%{{.*}}) in (1) shared_outs
// CHECK-NEXT: tensor.insert
func.func @long(%x: memref<256xi32>, %out: memref<256xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %xt = bufferization.to_tensor %x restrict : memref<256xi32> to tensor<256xi32>
  %r:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%new = %xt, %old = %xt) -> (tensor<256xi32>, tensor<256xi32>) {
    %v = arith.index_cast %k : index to i32
    %n = tensor.insert %v into %xt[%c9] : tensor<256xi32>
    scf.yield %n, %new : tensor<256xi32>, tensor<256xi32>
  }
  bufferization.materialize_in_destination %r#1 in restrict writable %out : (tensor<256xi32>, memref<256xi32>) -> ()
  return
}
