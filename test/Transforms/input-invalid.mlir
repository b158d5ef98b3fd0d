// What verifies, but has no meaning, is refused by every pass before upstream's
// folders or value bounds see it.
// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-kernel-pipeline=chip=gfx942
// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-distribute-to-threads=chip=gfx942
// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-map-to-threads
// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-insert-barriers=chip=gfx942
// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-nvvm-backend-pipeline

func.func @tensor_dim(%x: memref<?xi32>, %y: memref<?xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c-2 = arith.constant -2 : index
  %0 = bufferization.to_tensor %x restrict : memref<?xi32> to tensor<?xi32>
  // expected-error @below {{asks for the extent of dimension -2 of 'tensor<?xi32>', which has 1; use a dimension from 0 on below that}}
  %dim = tensor.dim %0, %c-2 : tensor<?xi32>
  %2 = bufferization.alloc_tensor(%dim) : tensor<?xi32>
  bufferization.materialize_in_destination %2 in restrict writable %y : (tensor<?xi32>, memref<?xi32>) -> ()
  return
}

// -----

func.func @memref_dim(%y: memref<?xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{asks for the extent of dimension 1 of 'memref<?xf32>', which has 1}}
  %d = memref.dim %y, %c1 : memref<?xf32>
  memref.store %v, %y[%d] : memref<?xf32>
  return
}

// -----

func.func @forall_step(%y: memref<64xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{loop with the step 0; a step must be positive: count the iterations upward}}
  scf.forall (%i) = (0) to (64) step (0) {
    memref.store %v, %y[%i] : memref<64xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

func.func @for_step(%y: memref<64xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c-1 = arith.constant -1 : index
  // expected-error @below {{loop with the step -1; a step must be positive}}
  scf.for %i = %c64 to %c0 step %c-1 {
    memref.store %v, %y[%i] : memref<64xf32>
  }
  return
}

// -----

// expected-error @below {{block size of kernel 'too_many_to_count' must be three positive numbers with a product below 2^63, for example array<i32: 64, 1, 1>; got array<i32: 1073741824, 1073741824, 16>}}
func.func @too_many_to_count(%v: f32, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 1073741824, 1073741824, 16>} {
  %c0 = arith.constant 0 : index
  memref.store %v, %y[%c0] : memref<64xf32>
  return
}

// -----

// expected-error @below {{block size of kernel 'none' must be three positive numbers, for example array<i32: 64, 1, 1>; got array<i32: 64, 0, 1>}}
func.func @none(%v: f32, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 0, 1>} {
  %c0 = arith.constant 0 : index
  memref.store %v, %y[%c0] : memref<64xf32>
  return
}

// -----

// expected-error @below {{grid size of kernel 'negative' must be three positive numbers}}
func.func @negative(%v: f32, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, -1, 1>} {
  %c0 = arith.constant 0 : index
  memref.store %v, %y[%c0] : memref<64xf32>
  return
}

// -----

// expected-error @below {{kernel 'many' has workgroups of 2048 threads}}
func.func @many(%v: f32, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 2048, 1, 1>} {
  %c0 = arith.constant 0 : index
  memref.store %v, %y[%c0] : memref<64xf32>
  return
}

// -----

func.func @expands_tensor(%x: memref<24xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<24xf32> to tensor<24xf32>
  // expected-error @below {{expands to the shape [4, 5], which is not that of 'tensor<4x6xf32>'; write the same extents in both}}
  %e = tensor.expand_shape %t [[0, 1]] output_shape [4, 5] : tensor<24xf32> into tensor<4x6xf32>
  return
}

// -----

func.func @stack() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{stack memory in the memory space #gpu.address_space<global>; the stack of a thread is private, use #gpu.address_space<private>}}
  %m = memref.alloca() : memref<64xi32, #gpu.address_space<global>>
  return
}

// -----

func.func @stride(%x: memref<64xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{slice with the stride 0, whose elements are all one; take a slice of size 1, or broadcast it}}
  %s = memref.subview %x[0] [8] [0] : memref<64xf32> to memref<8xf32, strided<[0]>>
  memref.store %v, %s[%c0] : memref<8xf32, strided<[0]>>
  return
}

// -----

func.func @insert_stride(%x: memref<64xf32>, %y: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %a = bufferization.to_tensor %x restrict writable : memref<64xf32> to tensor<64xf32>
  %b = bufferization.to_tensor %y restrict : memref<8xf32> to tensor<8xf32>
  // expected-error @below {{slice with the stride 0}}
  %i = tensor.insert_slice %b into %a[0] [8] [0] : tensor<8xf32> into tensor<64xf32>
  bufferization.materialize_in_destination %i in restrict writable %x : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @outside(%x: memref<64xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %i = affine.apply affine_map<(d0) -> (d0 * 4)>(%c32)
  // expected-error @below {{slice of 'memref<64xf32>' from 128 on in dimension 0, which has 64 elements; keep it inside}}
  %s = memref.subview %x[%i] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
  memref.store %v, %s[%c0] : memref<8xf32, strided<[1], offset: ?>>
  return
}

// -----

func.func @extents(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{makes a value of type 'tensor<4611686018427387904xi32>', which is larger than any memory; use smaller extents}}
  %e = tensor.empty() : tensor<4611686018427387904xi32>
  %c = tensor.concat dim(0) %e, %e : (tensor<4611686018427387904xi32>, tensor<4611686018427387904xi32>) -> tensor<64xi32>
  bufferization.materialize_in_destination %c in restrict writable %x : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
