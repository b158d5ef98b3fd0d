// RUN: memspace-opt %s -memspace-pack-workgroup-memory -verify-diagnostics -split-input-file

#wg = #gpu.address_space<workgroup>

func.func @dynamic(%x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the extent is defined here}}
  %n = memref.dim %x, %c0 : memref<?xf32>
  // expected-error @below {{workgroup buffer of type 'memref<8x?xf32, #gpu.address_space<workgroup>>' has the dynamic extent '%dim' in dimension 1; a kernel never allocates dynamically: bound the extent}}
  %t = memref.alloc(%n) : memref<8x?xf32, #wg>
  memref.dealloc %t : memref<8x?xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// The buffer of one iteration is read in the next, when that has written its
// own.
func.func @escapes(%v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %init = memref.alloc() : memref<64xf32, #wg>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%cur = %init) -> (memref<64xf32, #wg>) {
    // expected-error @below {{allocated in a loop and may be used in another iteration, where one place in the arena cannot hold both; write it only behind the last use of the one before, or allocate one buffer for each before the loop and swap them}}
    %new = memref.alloc() : memref<64xf32, #wg>
    memref.store %v, %new[%k] : memref<64xf32, #wg>
    %x = memref.load %cur[%k] : memref<64xf32, #wg>
    memref.store %x, %new[%c0] : memref<64xf32, #wg>
    scf.yield %new : memref<64xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

func.func @layout() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{has no static size in bytes}}
  %t = memref.alloc() : memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

func.func @too_large() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{has no static size in bytes}}
  %t = memref.alloc() : memref<4294967296x4294967296xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

func.func @other_allocation() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{allocates workgroup memory in a way that cannot be packed}}
  %t = gpu.alloc() : memref<8xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// expected-note @below {{the global is here}}
memref.global "private" @tile : memref<64xf32, #wg> = dense<1.0>
func.func @initialized(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{workgroup memory 'tile' has an initial value, which no GPU can give it; store the value in the kernel}}
  %t = memref.get_global @tile : memref<64xf32, #wg>
  memref.copy %t, %x : memref<64xf32, #wg> to memref<64xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

func.func @calls(%n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{calls a function with workgroup buffers that calls itself; a kernel has only static memory, write it as a loop}}
  func.call @recursive(%n) : (index) -> ()
  return
}
func.func private @recursive(%n: index) {
  %t = memref.alloc() : memref<64xindex, #wg>
  memref.store %n, %t[%n] : memref<64xindex, #wg>
  func.call @recursive(%n) : (index) -> ()
  return
}

// -----

#wg = #gpu.address_space<workgroup>

func.func @branches(%flag: i1) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  scf.if %flag {
    // expected-error @below {{calls 'blocks', which has workgroup buffers of its own and cannot be inlined: it has branches between blocks; pass the buffers as arguments or inline the call before}}
    func.call @blocks(%flag) : (i1) -> ()
  }
  return
}
// expected-note @below {{the function is here}}
func.func private @blocks(%flag: i1) {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<64xindex, #wg>
  cf.cond_br %flag, ^store, ^end
^store:
  memref.store %c0, %t[%c0] : memref<64xindex, #wg>
  cf.br ^end
^end:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

func.func @kept_call() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{calls 'kept', which has workgroup buffers of its own and cannot be inlined: its dialect does not allow it; pass the buffers as arguments or inline the call before}}
  func.call @kept() : () -> ()
  return
}
// expected-note @below {{the function is here}}
func.func private @kept() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<64xindex, #wg>
  memref.store %c0, %t[%c0] : memref<64xindex, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// expected-error @below {{the workgroup buffers of kernel 'too_many_bytes' cannot be packed: buffer '#1' brings the sum of the sizes to 2^62 bytes or more; use smaller buffers}}
func.func @too_many_bytes(%x: memref<?xi8>, %i: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %a = memref.alloc() : memref<2305843009213693952xi8, #wg>
  %b = memref.alloc() : memref<2305843009213693952xi8, #wg>
  %0 = memref.load %a[%i] : memref<2305843009213693952xi8, #wg>
  %1 = memref.load %b[%i] : memref<2305843009213693952xi8, #wg>
  memref.store %0, %x[%i] : memref<?xi8>
  memref.store %1, %x[%i] : memref<?xi8>
  return
}
