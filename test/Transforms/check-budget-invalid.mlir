// RUN: memspace-opt %s -memspace-check-budget=chip=gfx942 -verify-diagnostics -split-input-file

#wg = #gpu.address_space<workgroup>

// expected-error @below {{kernel 'too_much' needs 81920 bytes of workgroup memory, but a workgroup may use 65536 on gfx942}}
// expected-note @below {{at least 16384 bytes must go: use smaller tiles or fewer stages, or a chip with more workgroup memory}}
func.func @too_much(%v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  // expected-note @below {{81920 bytes live at the peak: 'memref<128x160xf32, #gpu.address_space<workgroup>>' (row writes, column reads)}}
  %t = memref.alloc() {memspace.reason = "row writes, column reads"} : memref<128x160xf32, #wg>
  memref.store %v, %t[%i, %i] : memref<128x160xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// expected-error @below {{kernel 'would_fit' needs 131072 bytes of workgroup memory, but a workgroup may use 65536 on gfx942}}
// expected-note @below {{at most 65536 bytes are live at once: buffers that share the bytes of dead ones would fit}}
func.func @would_fit(%v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  // expected-note @below {{65536 bytes live at the peak}}
  %a = memref.alloc() : memref<128x128xf32, #wg>
  %b = memref.alloc() : memref<128x128xf32, #wg>
  memref.store %v, %a[%i, %i] : memref<128x128xf32, #wg>
  memref.store %v, %b[%i, %i] : memref<128x128xf32, #wg>
  return
}

// -----

#private = #gpu.address_space<private>

// expected-error @below {{kernel 'private' needs 32768 bytes of private memory for each thread, but the limit is 16384}}
// expected-note @below {{use smaller tiles for each thread or more threads, or raise 'private-limit'}}
func.func @private(%v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{32768 bytes in each thread: 'memref<64x128xf32, #gpu.address_space<private>>' (each thread its own)}}
  %a = memref.alloca() {memspace.reason = "each thread its own"} : memref<64x128xf32, #private>
  return
}

// -----

#private = #gpu.address_space<private>

func.func @dynamic(%n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{has no static size, so the memory of kernel 'dynamic' cannot be checked; bound its extents}}
  %a = memref.alloca(%n) : memref<?xf32, #private>
  return
}
