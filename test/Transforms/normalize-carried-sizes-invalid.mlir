// RUN: memspace-opt %s -memspace-normalize-kernels=subgroup-size=32 -split-input-file -verify-diagnostics

// Each iteration makes it shorter.
func.func @k(%x: memref<8xi32>, %o: memref<4xindex>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xi32> to tensor<8xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a0 = tensor.extract_slice %xt[0] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %a = tensor.cast %a0 : tensor<4xi32> to tensor<?xi32>
  // expected-error @below {{carries a tensor of type 'tensor<?xi32>' whose extents are not known to stay the same in all iterations; carry one of the largest extents, and a slice's extent as a number}}
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%p = %a) -> (tensor<?xi32>) {
    %m = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    // expected-note @below {{what takes its place}}
    %s = tensor.extract_slice %p[1] [%m] [1] : tensor<?xi32> to tensor<?xi32>
    scf.yield %s : tensor<?xi32>
  }
  %l = tensor.dim %r, %c0 : tensor<?xi32>
  %e = tensor.empty() : tensor<4xindex>
  %f = linalg.fill ins(%l : index) outs(%e : tensor<4xindex>) -> tensor<4xindex>
  bufferization.materialize_in_destination %f in restrict writable %o : (tensor<4xindex>, memref<4xindex>) -> ()
  return
}

// -----

// Another one takes its place.
func.func @k(%x: memref<8xi32>, %o: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xi32> to tensor<8xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a0 = tensor.extract_slice %xt[0] [2] [1] : tensor<8xi32> to tensor<2xi32>
  %a = tensor.cast %a0 : tensor<2xi32> to tensor<?xi32>
  // expected-error @below {{carries a tensor of type 'tensor<?xi32>' whose extents are not known}}
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%p = %a) -> (tensor<?xi32>) {
    %s = tensor.extract_slice %xt[4] [4] [1] : tensor<8xi32> to tensor<4xi32>
    // expected-note @below {{what takes its place}}
    %u = tensor.cast %s : tensor<4xi32> to tensor<?xi32>
    scf.yield %u : tensor<?xi32>
  }
  %l = tensor.extract %r[%c3] : tensor<?xi32>
  %e = tensor.empty() : tensor<4xi32>
  %f = linalg.fill ins(%l : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  bufferization.materialize_in_destination %f in restrict writable %o : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}

// -----

// Two of different lengths change places, in a while loop.
func.func @while(%x: memref<?xf32>, %y: memref<?xf32>, %out: memref<?xf32>, %c: i1)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %yt = bufferization.to_tensor %y restrict : memref<?xf32> to tensor<?xf32>
  // expected-error @below {{carries a tensor of type 'tensor<?xf32>' whose extents are not known}}
  %r:2 = scf.while (%p = %xt, %q = %yt) : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.condition(%c) %p, %q : tensor<?xf32>, tensor<?xf32>
  } do {
  // expected-note @below {{what takes its place}}
  ^bb0(%p: tensor<?xf32>, %q: tensor<?xf32>):
    scf.yield %q, %p : tensor<?xf32>, tensor<?xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
