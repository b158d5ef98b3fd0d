// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-bufferize=chip=sm_90

// S2: nothing is allocated without a decided space: it would lower to malloc.
func.func @no_space(%out: memref<4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  // expected-error @+2 {{needs a buffer in kernel 'no_space' but has no private or workgroup memory space, and a kernel never allocates global memory; run memspace-infer-memory-spaces, or set 'memory_space' on the bufferization.alloc_tensor}}
  // expected-error @+1 {{failed to bufferize op}}
  %p = bufferization.alloc_tensor() : tensor<4xf32>
  %p1 = tensor.insert %f into %p[%c0] : tensor<4xf32>
  %v = tensor.extract %p1[%c0] : tensor<4xf32>
  memref.store %v, %out[%c0] : memref<4xf32>
  return
}

// -----

// B6: the value without a bound is named.
// expected-note @+1 {{bound this value, for example by affine.min with a tile size}}
func.func @no_bound(%n: index, %f: f32, %out: memref<1xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  // expected-error @+2 {{needs static workgroup memory, but the extent of dimension 0 has no constant upper bound}}
  // expected-error @+1 {{failed to bufferize op}}
  %w = bufferization.alloc_tensor(%n) {memory_space = #gpu.address_space<workgroup>} : tensor<?xf32>
  %w1 = tensor.insert %f into %w[%c0] : tensor<?xf32>
  %v = tensor.extract %w1[%c0] : tensor<?xf32>
  memref.store %v, %out[%c0] : memref<1xf32>
  return
}
