// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 | FileCheck %s

// The body of a launch has the memory spaces that the launch names: the buffers of
// each thread need no barrier, and the shared one does.

// CHECK-LABEL: func.func @launch
// CHECK:         memref.store %{{.*}} : memref<1xf32, "own">
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.store %{{.*}} : memref<64xf32, "shared">
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.load %{{.*}} : memref<64xf32, "shared">
// CHECK:         memspace.memory_spaces = {private = "own", workgroup = "shared"}
func.func @launch(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%shared : memref<64xf32, "shared">)
             private(%own : memref<1xf32, "own">) {
    %u = arith.subi %c63, %tx : index
    %v = memref.load %x[%tx] : memref<64xf32>
    memref.store %v, %own[%c0] : memref<1xf32, "own">
    %w = memref.load %own[%c0] : memref<1xf32, "own">
    memref.store %w, %shared[%tx] : memref<64xf32, "shared">
    %y = memref.load %shared[%u] : memref<64xf32, "shared">
    memref.store %y, %x[%tx] : memref<64xf32>
    gpu.terminator
  } {memspace.memory_spaces = {private = "own", workgroup = "shared"}}
  return
}
