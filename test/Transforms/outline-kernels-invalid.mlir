// RUN: memspace-opt %s -memspace-outline-kernels=chip=sm_90 -verify-diagnostics -split-input-file

// expected-error @below {{kernel 'returns' returns values; write them to its arguments}}
func.func @returns() -> index attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  return %c0 : index
}

// -----

// expected-error @below {{kernel 'called' is referred to, but a kernel can only be launched, by functions of the host}}
func.func @called() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  return
}
func.func @caller() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{used here}}
  func.call @called() : () -> ()
  return
}

// -----

// The host's function would be the GPU's as well.
func.func @launched() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  return
}
func.func @calls_launcher() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  func.call @launcher() : () -> ()
  return
}
func.func @launcher() {
  // expected-error @below {{launches a kernel in kernel 'calls_launcher'; only the host launches kernels}}
  func.call @launched() : () -> ()
  return
}

// -----

// expected-error @below {{kernel 'unknown_grid' is launched and reads block ids, but its grid is not known; give it 'gpu.known_grid_size = array<i32: x, y, z>'}}
func.func @unknown_grid(%out: memref<?xindex>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %b = gpu.block_id x
  memref.store %b, %out[%b] : memref<?xindex>
  return
}
func.func @host(%out: memref<?xindex>) {
  // expected-note @below {{launched here}}
  func.call @unknown_grid(%out) : (memref<?xindex>) -> ()
  return
}

// -----

func.func @heap(%v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{would be allocated dynamically in kernel 'heap'; a kernel has only static memory}}
  %t = memref.alloc() : memref<4xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

func.func private @allocates() {
  // expected-error @below {{would be allocated dynamically in kernel 'callee'}}
  %t = memref.alloc() : memref<4xf32, #wg>
  return
}
func.func @callee() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  func.call @allocates() : () -> ()
  return
}

// -----

#wg = #gpu.address_space<workgroup>

func.func @workgroup_stack() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{workgroup memory cannot be on the stack; run memspace-pack-workgroup-memory first}}
  %t = memref.alloca() : memref<4xf32, #wg>
  return
}

// -----

func.func @dynamic_stack(%n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{would make a dynamic stack in kernel 'dynamic_stack'; bound its extents}}
  %t = memref.alloca(%n) : memref<?xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// expected-error @below {{kernel 'unpacked' needs dynamic shared memory for 65536 bytes, which takes one arena}}
func.func @unpacked() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %a = memref.alloc() : memref<8192xf32, #wg>
  %b = memref.alloc() : memref<8192xf32, #wg>
  return
}

// -----

func.func private @external()
func.func @calls_external() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{calls a function without a body in kernel 'calls_external'}}
  func.call @external() : () -> ()
  return
}

// -----

memref.global "private" @counter : memref<1xi32> = dense<0>
func.func @host_global() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{refers to the global 'counter' of the host in kernel 'host_global'; only constants go along to the GPU}}
  %g = memref.get_global @counter : memref<1xi32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// LLVM would say so, too, but not where nor what to do.
// expected-error @below {{kernel 'too_much' allocates 262144 bytes of workgroup memory, but a workgroup may use 232448 on sm_90}}
// expected-note @below {{each of its 2 buffers has a place of its own; run memspace-pack-workgroup-memory first}}
func.func @too_much() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %a = memref.alloc() : memref<32768xf32, #wg>
  %b = memref.alloc() : memref<32768xf32, #wg>
  return
}

// -----

// Memory that the caller owns.
func.func @frees(%m: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{would free memory in kernel 'frees', which has only static memory; leave it out}}
  memref.dealloc %m : memref<4xf32>
  return
}
