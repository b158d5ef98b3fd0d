// RUN: memspace-opt %s -split-input-file -memspace-pad-bank-conflicts -verify-diagnostics

// expected-error@below {{kernel 'no_target' has no target; give the option 'chip' (for example chip=gfx942) or attach a target attribute}}
func.func @no_target() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  return
}

// -----

// expected-error@below {{unknown chip 'sm_1'}}
func.func @unknown_chip() attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.target = #nvvm.target<chip = "sm_1">} {
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// What cannot be packed has no bytes that could be counted.
func.func @no_static_size(%x: memref<32xf32>, %n: index)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.target = #nvvm.target<chip = "sm_90">} {
  %c0 = arith.constant 0 : index
  %tx = gpu.thread_id x
  %tile = memref.alloc() : memref<32x32xf32, #wg>
  %0 = memref.load %tile[%tx, %c0] : memref<32x32xf32, #wg>
  // expected-error@below {{has the dynamic extent '%arg1' in dimension 0}}
  // expected-note@-7 {{the extent is defined here}}
  %other = memref.alloc(%n) : memref<?xf32, #wg>
  memref.store %0, %other[%tx] : memref<?xf32, #wg>
  memref.store %0, %x[%tx] : memref<32xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

func.func @recursive(%x: memref<32xf32>) {
  %tile = memref.alloc() : memref<32x32xf32, #wg>
  func.call @recursive(%x) : (memref<32xf32>) -> ()
  return
}

func.func @calls(%x: memref<32xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.target = #nvvm.target<chip = "sm_90">} {
  // expected-error@below {{calls a function with workgroup buffers that calls itself; a kernel has only static memory, write it as a loop}}
  func.call @recursive(%x) : (memref<32xf32>) -> ()
  return
}
