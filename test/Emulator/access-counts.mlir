// Accesses by memory space: an atomic update reads and writes, a vector is one access.
// RUN: memspace-runner %s --arg=0:iota --verbose | FileCheck %s
// CHECK: accesses: 40,
// CHECK-NEXT: global memory: 16 reads of 64 bytes, 8 writes of 32 bytes, 0 atomic updates
// CHECK-NEXT: workgroup memory: 1 reads of 48 bytes, 5 writes of 64 bytes, 8 atomic updates
// CHECK-NEXT: private memory: 1 reads of 4 bytes, 1 writes of 4 bytes, 0 atomic updates
// CHECK-NEXT: races: 0
func.func @k(%in: memref<16xi32>, %out: memref<8xi32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %sum = memref.alloc() : memref<1xi32, #gpu.address_space<workgroup>>
  %a = memref.alloc() : memref<16xi32, #gpu.address_space<workgroup>>
  %p = memref.alloca() : memref<1xi32, #gpu.address_space<private>>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    memref.store %zero, %sum[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    %v = arith.constant dense<1> : vector<4xi32>
    vector.store %v, %a[%c8] : memref<16xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    memref.store %zero, %p[%c0] : memref<1xi32, #gpu.address_space<private>>
    %z = memref.load %p[%c0] : memref<1xi32, #gpu.address_space<private>>
  }
  %x = memref.load %in[%t] : memref<16xi32>
  %u = arith.addi %t, %c8 : index
  %y = memref.load %in[%u] : memref<16xi32>
  gpu.barrier
  %old = memref.atomic_rmw addi %x, %sum[%c0] : (i32, memref<1xi32, #gpu.address_space<workgroup>>) -> i32
  scf.if %first {
    %w = vector.load %a[%c8] : memref<16xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    memref.store %zero, %a[%c0] : memref<16xi32, #gpu.address_space<workgroup>>
    memref.store %zero, %a[%c0] : memref<16xi32, #gpu.address_space<workgroup>>
    memref.store %zero, %a[%c0] : memref<16xi32, #gpu.address_space<workgroup>>
  }
  memref.store %y, %out[%t] : memref<8xi32>
  return
}
