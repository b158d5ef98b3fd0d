// What a branch between blocks has told holds in all blocks that only it leads to, also
// behind the head of a loop: one thread fills the buffer.
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: memspace-opt %t -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 \
// RUN:   | memspace-opt -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null

// CHECK-LABEL: func.func @filled_by_one
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @filled_by_one(%v: f32, %out: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %tid = gpu.thread_id x
  %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %first = arith.cmpi eq, %tid, %c0 : index
  scf.if %first {
    scf.for %i = %c0 to %c64 step %c1 {
      memref.store %v, %a[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    }
  }
  %y = memref.load %a[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %y, %out[%tid] : memref<64xf32>
  return
}
