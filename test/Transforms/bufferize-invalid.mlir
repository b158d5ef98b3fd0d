// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-bufferize=chip=sm_90

// S2: nothing is allocated without a decided space: it would lower to malloc.
func.func @no_space(%out: memref<4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  // expected-error @+2 {{needs a buffer in kernel 'no_space' but has no private or workgroup memory space, and a kernel never allocates global memory; run memspace-infer-memory-spaces, set 'memory_space' on the bufferization.alloc_tensor, or put one, with 'copy', before an op that does not work on its operand in place}}
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

// -----

// Exchanged values must be the loop's own buffers at its end.
func.func @exchange_outside(%a: memref<4xf32>, %b: memref<4xf32>)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %x = bufferization.to_tensor %a restrict writable : memref<4xf32> to tensor<4xf32>
  %y = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
  // expected-error @+1 {{does not exchange loop-carried buffers at the end of a loop body, where it would be a permuted yield; copy the values instead (linalg.copy)}}
  %e:2 = memspace.exchange %x, %y [1, 0] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>, tensor<4xf32>
  bufferization.materialize_in_destination %e#0 in restrict writable %a : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// Grid scope: every workgroup would repeat the copy.
func.func @grid_copy(%a: memref<4xf32>, %b: memref<4xf32>)
    attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  // expected-error @+1 {{writes memory at grid scope, where every workgroup would repeat it; move it into the block forall}}
  linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%i) in (2) {
    memref.store %z, %a[%c0] : memref<4xf32>
  } {mapping = [#gpu.block<x>]}
  return
}
