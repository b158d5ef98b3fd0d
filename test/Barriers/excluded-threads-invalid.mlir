// Only one of two threads is left out: the guard excludes k, and the read is of
// k + 1.
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s

// CHECK: :[[@LINE+14]]:{{[0-9]+}}: error: data race (WAR) with 'memref.store'
// CHECK-NOT: error
func.func @another(%x: memref<128xi32>, %n: index) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %tid = gpu.thread_id x
  %s = memref.alloc() : memref<128xi32, #gpu.address_space<workgroup>>
  %first = memref.load %x[%tid] : memref<128xi32>
  memref.store %first, %s[%tid] : memref<128xi32, #gpu.address_space<workgroup>>
  scf.for %k = %c0 to %c100 step %c1 {
    gpu.barrier
    %next = arith.addi %k, %c1 : index
    %pivot = memref.load %s[%next] : memref<128xi32, #gpu.address_space<workgroup>>
    %isOther = arith.cmpi ne, %tid, %k : index
    scf.if %isOther {
      %a = memref.load %s[%tid] : memref<128xi32, #gpu.address_space<workgroup>>
      %b = arith.addi %a, %pivot : i32
      memref.store %b, %s[%tid] : memref<128xi32, #gpu.address_space<workgroup>>
    }
  }
  return
}
