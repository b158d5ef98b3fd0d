// RUN: memspace-test-opt %s -split-input-file -memspace-normalize-kernels=chip=gfx942 -memspace-infer-memory-spaces=chip=gfx942 -verify-diagnostics

// Memory of the caller.
func.func @caller(%in: memref<64xf32>, %out: memref<64xf32>, %scratch: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %g = bufferization.to_tensor %scratch restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = arith.subi %c63, %t : index
    %i = tensor.insert_slice %m into %g[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    // expected-error @below {{threads contribute to memory of the caller, where no barrier keeps other workgroups away; let them contribute to a tensor of the workgroup, and copy it}}
    %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %q = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Each step begins with the same contents, which the step before overwrites.
func.func @again(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = arith.subi %c63, %t : index
    %sum = scf.for %k = %c0 to %c63 step %c1 iter_args(%acc = %zero) -> f32 {
      %i = tensor.insert_slice %m into %f[%k] [1] [1] : tensor<1xf32> into tensor<64xf32>
      // expected-error @below {{cannot be written in place of the tensor that they share: a copy is needed for the write of 'tensor.insert_slice'}}
      %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
      %v = tensor.extract %a[%u] : tensor<64xf32>
      %w = arith.addf %acc, %v : f32
      scf.yield %w : f32
    }
    %q = tensor.from_elements %sum : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Written by hand and not normalized: the thread does not contribute what it
// writes.
func.func @not_contributed(%v: f32, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    // expected-error @below {{cannot be written in place of the tensor that they share: it is not what 'memspace.begin_collective' began, with inserted elements}}
    %a = memspace.end_collective %e : tensor<64xf32>
    %q = tensor.extract_slice %a[0] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// The old value that the copy is needed for is named, where some threads contribute
// nothing, too.
func.func @some_contribute(%in: memref<64xf32>, %out: memref<64xf32>, %flag: i1) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  %e = tensor.empty() : tensor<64xf32>
  %tile = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract %x[%t] : tensor<64xf32>
    %low = arith.cmpi ult, %t, %c32 : index
    %b = memspace.begin_collective %tile : tensor<64xf32>
    %i = scf.if %low -> tensor<64xf32> {
      %j = tensor.insert %m into %b[%t] : tensor<64xf32>
      scf.yield %j : tensor<64xf32>
    } else {
      scf.yield %b : tensor<64xf32>
    }
    // expected-error @below {{cannot be written in place of the tensor that they share: a copy is needed for the write of 'tensor.insert'}}
    %a = memspace.end_collective %i : tensor<64xf32>
    %v = tensor.extract %a[%c32] : tensor<64xf32>
    %b2 = memspace.begin_collective %tile : tensor<64xf32>
    %i2 = tensor.insert %v into %b2[%t] : tensor<64xf32>
    %a2 = memspace.end_collective %i2 : tensor<64xf32>
    %w = tensor.extract %a2[%c32] : tensor<64xf32>
    %q = tensor.from_elements %w : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
