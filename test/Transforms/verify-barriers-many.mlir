// A race that is certain is an error behind any number of possible ones: in the
// first hundred each is asked for. More than ten are counted, each kind by itself.

// RUN: not memspace-opt %s "-memspace-verify-barriers=chip=sm_90 may-hazards=warn" -split-input-file -o /dev/null 2>&1 | FileCheck %s

// CHECK: error: data race (RAW)
// CHECK: warning: possible data race (WAW)
// CHECK: warning: 9 more possible data races in kernel 'behind'
// CHECK: error: data race (WAW)
// CHECK: error: 2 more data races in kernel 'both'
// CHECK: warning: 3 more possible data races in kernel 'both'

#wg = #gpu.address_space<workgroup>
func.func @behind(%v: f32, %where: memref<128xindex>, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %i = memref.load %where[%t] : memref<128xindex>
  %m = memref.alloc() : memref<128xf32, #wg>
  %a0 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a0[%i] : memref<128xf32, #wg>
  %a1 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a1[%i] : memref<128xf32, #wg>
  %a2 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a2[%i] : memref<128xf32, #wg>
  %a3 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a3[%i] : memref<128xf32, #wg>
  %a4 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a4[%i] : memref<128xf32, #wg>
  %a5 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a5[%i] : memref<128xf32, #wg>
  %a6 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a6[%i] : memref<128xf32, #wg>
  %a7 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a7[%i] : memref<128xf32, #wg>
  %a8 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a8[%i] : memref<128xf32, #wg>
  %a9 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a9[%i] : memref<128xf32, #wg>
  %a10 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a10[%i] : memref<128xf32, #wg>
  %a11 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a11[%i] : memref<128xf32, #wg>
  %a12 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a12[%i] : memref<128xf32, #wg>
  %a13 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a13[%i] : memref<128xf32, #wg>
  %a14 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a14[%i] : memref<128xf32, #wg>
  %a15 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a15[%i] : memref<128xf32, #wg>
  %a16 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a16[%i] : memref<128xf32, #wg>
  %a17 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a17[%i] : memref<128xf32, #wg>
  memref.store %v, %m[%t] : memref<128xf32, #wg>
  %w = memref.load %m[%r] : memref<128xf32, #wg>
  memref.store %w, %out[%t] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
func.func @both(%where: memref<128xindex>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %i = memref.load %where[%t] : memref<128xindex>
  %n = arith.index_cast %t : index to i32
  %v = arith.sitofp %n : i32 to f32
  %a0 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a0[%i] : memref<128xf32, #wg>
  %a1 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a1[%i] : memref<128xf32, #wg>
  %a2 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a2[%i] : memref<128xf32, #wg>
  %b0 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b0[%c0] : memref<128xf32, #wg>
  %b1 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b1[%c0] : memref<128xf32, #wg>
  %b2 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b2[%c0] : memref<128xf32, #wg>
  %b3 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b3[%c0] : memref<128xf32, #wg>
  %b4 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b4[%c0] : memref<128xf32, #wg>
  %b5 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b5[%c0] : memref<128xf32, #wg>
  %b6 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b6[%c0] : memref<128xf32, #wg>
  %b7 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b7[%c0] : memref<128xf32, #wg>
  %b8 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b8[%c0] : memref<128xf32, #wg>
  %b9 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b9[%c0] : memref<128xf32, #wg>
  %b10 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b10[%c0] : memref<128xf32, #wg>
  %b11 = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %b11[%c0] : memref<128xf32, #wg>
  return
}
