// RUN: not %python %src_root/utils/run_kernel.py %s --expect 'a1 = a0[::-1]' | FileCheck %s
// CHECK:      forward: FAILED, races 2, barriers 0
// CHECK-NEXT: WAR race on byte 128 of workgroup allocation 0: thread 31 reads ({{.*}}memref.load {{.*}}), then thread 32 writes ({{.*}}memref.store {{.*}}); 32 times
// CHECK-NEXT: RAW race on byte 124 of workgroup allocation 0: thread 31 writes (line [[#@LINE+15]]: memref.store {{.*}}), then thread 32 reads (line [[#@LINE+18]]: %w = memref.load {{.*}}); 32 times
// CHECK-NEXT: note: read of uninitialized byte
// CHECK-NEXT: wrong: a1: 32 of 64 differ
// CHECK:      reverse: FAILED, races 2
// CHECK:      shuffle:1: FAILED, races 2

func.func @reverse(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : index
  %tile = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xf32>
  // The store that other threads read.


  memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  // No barrier here.
  %r = arith.subi %c63, %t : index
  %w = memref.load %tile[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %w, %out[%t] : memref<64xf32>
  return
}
