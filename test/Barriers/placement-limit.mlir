// Loops that have too many states are taken as loops: more barriers perhaps, but
// no hazard is left, and a remark says so.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 \
// RUN:   -remarks-filter=memspace -remark-format=emitRemark -o %t 2>&1 | FileCheck %s
// RUN: memspace-opt %t -memspace-verify-barriers=chip=gfx942 -o /dev/null

// CHECK: [[#@LINE+2]]:1: remark: [Analysis] placement-limit
// CHECK-SAME: ended at its limit
func.func @many_states(%out: memref<64xf32>) attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c200 = arith.constant 200 : index
  %c65536 = arith.constant 65536 : index
  %c64 = arith.constant 64 : index
  %tid = gpu.thread_id x
  %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %a[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %c200 step %c1 iter_args(%x = %c1) -> index {
    %s = scf.for %j = %c0 to %c200 step %c1 iter_args(%y = %x) -> index {
      %m = arith.muli %y, %c5 : index
      %p = arith.addi %m, %c3 : index
      %n = arith.remui %p, %c65536 : index
      %at = arith.addi %tid, %n : index
      %place = arith.remui %at, %c64 : index
      %v = memref.load %a[%place] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %v, %out[%tid] : memref<64xf32>
      memref.store %v, %a[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
      scf.yield %n : index
    }
    scf.yield %s : index
  }
  return
}
