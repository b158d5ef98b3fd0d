// The kernels of chosen-views.mlir without the second barrier.
// RUN: memspace-opt %s -split-input-file -verify-diagnostics=only-expected -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -split-input-file -verify-diagnostics=only-expected '-memspace-verify-barriers=chip=gfx942 ask-each-pair=true' -o /dev/null

#wg = #gpu.address_space<workgroup>

// p[0] and q[9] are apart, p[3] and q[12] are not.
func.func @types(%c: i1, %out: memref<128xi8>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c12 = arith.constant 12 : index
  %v = arith.constant 16909060 : i32
  %z = arith.constant 0 : i8
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xi8, #wg>
  %t = memref.alloc() : memref<256xi8, #wg>
  %a = memref.view %s[%c0][] : memref<256xi8, #wg> to memref<64xi32, #wg>
  %b = memref.view %t[%c0][] : memref<256xi8, #wg> to memref<64xi32, #wg>
  %p = arith.select %c, %a, %b : memref<64xi32, #wg>
  %q = arith.select %c, %s, %t : memref<256xi8, #wg>
  %is0 = arith.cmpi eq, %x, %c0 : index
  scf.if %is0 {
    memref.store %z, %q[%c9] : memref<256xi8, #wg>
    memref.store %z, %q[%c12] : memref<256xi8, #wg>
  }
  gpu.barrier
  scf.if %is0 {
    memref.store %v, %p[%c0] : memref<64xi32, #wg>
    // expected-error@+1 {{data race (RAW}}
    memref.store %v, %p[%c3] : memref<64xi32, #wg>
  }
  %f = memref.load %q[%c9] : memref<256xi8, #wg>
  %g = memref.load %q[%c12] : memref<256xi8, #wg>
  %h = arith.addi %f, %g : i8
  memref.store %h, %out[%x] : memref<128xi8>
  return
}

// Rows of 4 and of 8.
func.func @shapes(%c: i1, %out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant 7 : i32
  %z = arith.constant 0 : i32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xi8, #wg>
  %t = memref.alloc() : memref<256xi8, #wg>
  %a = memref.view %s[%c0][] : memref<256xi8, #wg> to memref<16x4xi32, #wg>
  %b = memref.view %t[%c0][] : memref<256xi8, #wg> to memref<16x4xi32, #wg>
  %a2 = memref.view %s[%c0][] : memref<256xi8, #wg> to memref<8x8xi32, #wg>
  %b2 = memref.view %t[%c0][] : memref<256xi8, #wg> to memref<8x8xi32, #wg>
  %p = arith.select %c, %a, %b : memref<16x4xi32, #wg>
  %q = arith.select %c, %a2, %b2 : memref<8x8xi32, #wg>
  %is0 = arith.cmpi eq, %x, %c0 : index
  scf.if %is0 {
    memref.store %z, %q[%c1, %c0] : memref<8x8xi32, #wg>
    memref.store %z, %q[%c0, %c0] : memref<8x8xi32, #wg>
  }
  gpu.barrier
  scf.if %is0 {
    memref.store %v, %p[%c1, %c0] : memref<16x4xi32, #wg>
    // expected-error@+1 {{data race (RAW}}
    memref.store %v, %p[%c2, %c0] : memref<16x4xi32, #wg>
  }
  %f = memref.load %q[%c0, %c0] : memref<8x8xi32, #wg>
  %g = memref.load %q[%c1, %c0] : memref<8x8xi32, #wg>
  %h = arith.addi %f, %g : i32
  memref.store %h, %out[%x] : memref<128xi32>
  return
}

// One of two 8x8, and the 64 elements of one of them.
func.func @ranks(%c: i1, %out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %v = arith.constant 7 : i32
  %z = arith.constant 0 : i32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xi8, #wg>
  %t = memref.alloc() : memref<256xi8, #wg>
  %a = memref.view %s[%c0][] : memref<256xi8, #wg> to memref<8x8xi32, #wg>
  %b = memref.view %t[%c0][] : memref<256xi8, #wg> to memref<8x8xi32, #wg>
  %q = memref.view %s[%c0][] : memref<256xi8, #wg> to memref<64xi32, #wg>
  %p = arith.select %c, %a, %b : memref<8x8xi32, #wg>
  %is0 = arith.cmpi eq, %x, %c0 : index
  scf.if %is0 {
    memref.store %z, %q[%c9] : memref<64xi32, #wg>
    memref.store %z, %q[%c10] : memref<64xi32, #wg>
  }
  gpu.barrier
  scf.if %is0 {
    memref.store %v, %p[%c2, %c5] : memref<8x8xi32, #wg>
    // expected-error@+1 {{data race (RAW}}
    memref.store %v, %p[%c1, %c1] : memref<8x8xi32, #wg>
  }
  %f = memref.load %q[%c10] : memref<64xi32, #wg>
  %g = memref.load %q[%c9] : memref<64xi32, #wg>
  %h = arith.addi %f, %g : i32
  memref.store %h, %out[%x] : memref<128xi32>
  return
}
