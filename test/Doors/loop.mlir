// RUN: memspace-test-opt %s -memspace-insert-barriers=subgroup-size=32 | FileCheck %s
// RUN: memspace-test-opt %s -memspace-insert-barriers=subgroup-size=32 | memspace-test-opt -memspace-verify-barriers=subgroup-size=32
// RUN: not memspace-test-opt %s -memspace-verify-barriers=subgroup-size=32 2>&1 | FileCheck %s --check-prefix=VERIFY

// The interface of loops does not say whether the upper bound belongs to the loop.
// This one runs once, with the upper bound, and reads what other threads wrote.
// VERIFY: data race (RAW
#wg = #gpu.address_space<workgroup>
// CHECK-LABEL: @through
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
func.func @through(%out: memref<64xf32>, %x: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %b = memref.alloc() : memref<64xf32, #wg>
  memref.store %x, %b[%t] : memref<64xf32, #wg>
  %u = arith.subi %c63, %t : index
  door.through %c0 to %c0 {
  ^bb0(%i: index):
    %v = memref.load %b[%u] : memref<64xf32, #wg>
    memref.store %v, %out[%t] : memref<64xf32>
    door.end
  }
  return
}
