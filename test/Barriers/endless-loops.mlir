// Loops that are known never to end: nothing comes behind them, and barriers are
// placed in them as in others.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o /dev/null

#wg = #gpu.address_space<workgroup>

// The stride is shifted by nothing.
// CHECK-LABEL: @stride_stays
// CHECK:       scf.while
// CHECK:         memref.store
// CHECK:         gpu.barrier
// CHECK:         memref.load
func.func @stride_stays(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %end = scf.while (%stride = %c32) : (index) -> index {
    %more = arith.cmpi ne, %stride, %c0 : index
    scf.condition(%more) %stride : index
  } do {
  ^bb0(%stride: index):
    %v = memref.load %in[%t] : memref<64xf32>
    memref.store %v, %b[%t] : memref<64xf32, #wg>
    %other = arith.xori %t, %stride : index
    %w = memref.load %b[%other] : memref<64xf32, #wg>
    memref.store %w, %out[%t] : memref<64xf32>
    %next = arith.shrui %stride, %c0 : index
    scf.yield %next : index
  }
  %x = memref.load %b[%end] : memref<64xf32, #wg>
  memref.store %x, %out[%t] : memref<64xf32>
  return
}

// In a branch.
// CHECK-LABEL: @in_branch
func.func @in_branch(%c: i1, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %true = arith.constant true
  %f = arith.constant 1.0 : f32
  %c63 = arith.constant 63 : index
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  memref.store %f, %b[%t] : memref<64xf32, #wg>
  scf.if %c {
    %end = scf.while (%go = %true) : (i1) -> i1 {
      scf.condition(%go) %go : i1
    } do {
    ^bb0(%go: i1):
      %w = memref.load %b[%r] : memref<64xf32, #wg>
      memref.store %w, %out[%t] : memref<64xf32>
      scf.yield %go : i1
    }
    memref.store %f, %b[%r] : memref<64xf32, #wg>
  }
  %x = memref.load %b[%r] : memref<64xf32, #wg>
  memref.store %x, %out[%t] : memref<64xf32>
  return
}
