// Numbers of 32 bits that become too large lose a multiple of 2^32, and no less.
// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-verify-barriers=chip=gfx942

// 64 << 26 is 0.
func.func @shifted(%x: memref<128xi32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c26 = arith.constant 26 : i32
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i32
  %s = memref.alloc() : memref<128xi32, #gpu.address_space<workgroup>>
  %high = arith.shli %t, %c26 : i32
  %low = arith.shrui %high, %c26 : i32
  %i = arith.index_castui %low : i32 to index
  // expected-error@+2 {{possible data race (WAW) of threads that execute this 'memref.store' at once}}
  // expected-note@+1 {{may touch the same place}}
  memref.store %t, %s[%i] : memref<128xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// Without the condition that ends the loop the stride may be negative: thread t reads what
// thread t - 1 writes.
func.func @negative(%x: memref<128xf32>, %stride: i32) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %one = arith.constant 1 : i32
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i32
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %isIn = arith.cmpi sge, %t, %one : i32
  // expected-note@+1 {{threads part here}}
  scf.if %isIn {
    %other = arith.addi %t, %stride : i32
    %i = arith.index_cast %t : i32 to index
    %j = arith.index_cast %other : i32 to index
    // expected-error@+1 {{data race}}
    %a = memref.load %s[%j] : memref<128xf32, #gpu.address_space<workgroup>>
    // expected-note@+1 {{the other access}}
    memref.store %a, %s[%i] : memref<128xf32, #gpu.address_space<workgroup>>
  }
  return
}

// -----

// A stride of 2^32 - 64 leads thread 64 to the place of thread 0.
func.func @huge(%x: memref<128xf32>, %stride: i32) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %tid = gpu.thread_id x
  %t = arith.index_castui %tid : index to i32
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %isIn = arith.cmpi ult, %t, %stride : i32
  // expected-note@+1 {{threads part here}}
  scf.if %isIn {
    %other = arith.addi %t, %stride : i32
    %i = arith.index_castui %t : i32 to index
    %j = arith.index_castui %other : i32 to index
    // expected-error@+1 {{data race}}
    %a = memref.load %s[%j] : memref<128xf32, #gpu.address_space<workgroup>>
    // expected-note@+1 {{the other access; thread (64, 0, 0) with %arg1 = -64 and thread (0, 0, 0)}}
    memref.store %a, %s[%i] : memref<128xf32, #gpu.address_space<workgroup>>
  }
  return
}
