// What is computed of numbers that are one in all iterations is one number, in a loop, too.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: FileCheck %s < %t.cf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=mask --arg=0:iota --arg=1:fill:8 --arg=2:fill:77 | FileCheck %s --check-prefix=RUNS
// RUNS: races: 0

// CHECK-LABEL: func.func @mask
// CHECK-NOT: barrier
// CHECK: return
func.func @mask(%x: memref<8x128xf32>, %n: index, %u: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i, %tid] : memref<8x128xf32>
    %low = arith.andi %u, %c127 : index
    %at = arith.xori %tid, %low : index
    memref.store %v, %s[%at] : memref<128xf32, #gpu.address_space<workgroup>>
  }
  return
}
