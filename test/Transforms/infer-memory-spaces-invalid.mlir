// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-infer-memory-spaces=chip=gfx942

// S13: both sides of the contradiction are named.
func.func @contradiction(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %z = arith.constant 0.0 : f32
  // expected-error @+2 {{memory space #gpu.address_space<private> contradicts the analysis, which needs workgroup memory; drop the attribute or give at least that space}}
  // expected-note @+1 {{must-share: an element written by one thread is read by another}}
  %e = bufferization.alloc_tensor() {memory_space = #gpu.address_space<private>} : tensor<64xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64xf32>) {
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %z into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %t[%j] : tensor<64xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @unknown_space(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    // expected-error @+1 {{unknown memory space "scratch"}}
    %e = bufferization.alloc_tensor() {memory_space = "scratch"} : tensor<1xf32>
    %s = tensor.insert %z into %e[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// S7, B2: too large for a thread and for the workgroup, at the tensor.
func.func @too_large(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : index
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  // expected-error @+2 {{no memory space for this 'tensor<65536xf32>': needs 262144 bytes of workgroup memory; the limit of gfx942 is 65536; use smaller tiles, or fuse the producer into its consumer}}
  // expected-note @+1 {{must-share: an element written by one thread is read by another}}
  %e = tensor.empty() : tensor<65536xf32>
  // expected-note @+1 {{here}}
  %t = linalg.fill ins(%z : f32) outs(%e : tensor<65536xf32>) -> tensor<65536xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %j = arith.subi %c63, %i : index
    // expected-note @+1 {{here}}
    %v = tensor.extract %t[%j] : tensor<65536xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// B6: an extent without a bound.
func.func @unbounded(%n: index, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    // expected-error @+2 {{must be private memory, but an extent has no constant upper bound; bound it}}
    // expected-note @+1 {{thread-scope: allocated inside a thread's iteration}}
    %e = tensor.empty(%n) : tensor<?xf32>
    %t = tensor.insert %z into %e[%i] : tensor<?xf32>
    %v = tensor.extract %t[%c0] : tensor<?xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// H20: no barrier orders workgroups.
func.func @other_block(%out: memref<8xf32>, %out2: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 8, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %ot2 = bufferization.to_tensor %out2 restrict writable : memref<8xf32> to tensor<8xf32>
  %c7 = arith.constant 7 : index
  %z = arith.constant 0.0 : f32
  %a = scf.forall (%b) in (8) shared_outs(%o = %ot) -> (tensor<8xf32>) {
    %d = tensor.extract_slice %o[%b] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %s = scf.forall (%i) in (1) shared_outs(%p = %d) -> (tensor<1xf32>) {
      // expected-note @+1 {{written here}}
      %v = tensor.insert %z into %p[%i] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %p[0] [1] [1] : tensor<1xf32> into tensor<1xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%b] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (8) shared_outs(%o = %ot2) -> (tensor<8xf32>) {
    %j = arith.subi %c7, %b : index
    %d = tensor.extract_slice %o[%b] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %s = scf.forall (%i) in (1) shared_outs(%p = %d) -> (tensor<1xf32>) {
      // expected-error @+1 {{reads elements of a 'tensor<8xf32>' that another workgroup may write in an earlier block forall of this kernel; workgroups cannot wait for each other: split the kernel between the two foralls (memspace-split-kernels)}}
      %v = tensor.extract %a[%j] : tensor<8xf32>
      %n = tensor.insert %v into %p[%i] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %n into %p[0] [1] [1] : tensor<1xf32> into tensor<1xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%b] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %a in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %r in restrict writable %out2 : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// One buffer of the workgroup cannot be the buffer of each thread.
func.func @wider_than_scope(%x: memref<64x2xf32>, %y: memref<64x2xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64x2xf32> to tensor<64x2xf32>
  %yt = bufferization.to_tensor %y restrict writable : memref<64x2xf32> to tensor<64x2xf32>
  %r = scf.forall (%t) in (64) shared_outs(%o = %yt) -> (tensor<64x2xf32>) {
    %a = tensor.extract_slice %xt[%t, 0] [1, 2] [1, 1] : tensor<64x2xf32> to tensor<1x2xf32>
    // expected-error @+1 {{memory space #gpu.address_space<workgroup> is wider than the scope of this allocation, which each thread makes for itself; drop the attribute, or allocate it outside of the scf.forall}}
    %e = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<1x2xf32>
    %c = linalg.exp ins(%a : tensor<1x2xf32>) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
    %s = tensor.extract_slice %o[%t, 0] [1, 2] [1, 1] : tensor<64x2xf32> to tensor<1x2xf32>
    %d = linalg.add ins(%c, %c : tensor<1x2xf32>, tensor<1x2xf32>) outs(%s : tensor<1x2xf32>) -> tensor<1x2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%t, 0] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<64x2xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<64x2xf32>, memref<64x2xf32>) -> ()
  return
}

// -----

// Every workgroup reads an element for itself, outside of the foralls.
func.func @element_at_grid_scope(%out: memref<8xf32>, %out2: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 8, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %ot2 = bufferization.to_tensor %out2 restrict writable : memref<8xf32> to tensor<8xf32>
  %c7 = arith.constant 7 : index
  %z = arith.constant 0.0 : f32
  %a = scf.forall (%b) in (8) shared_outs(%o = %ot) -> (tensor<8xf32>) {
    %d = tensor.extract_slice %o[%b] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %s = scf.forall (%i) in (1) shared_outs(%p = %d) -> (tensor<1xf32>) {
      // expected-note @+1 {{written here}}
      %v = tensor.insert %z into %p[%i] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %p[0] [1] [1] : tensor<1xf32> into tensor<1xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%b] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.block<x>]}
  // expected-error @+1 {{this 'tensor<8xf32>' is read by every workgroup, and may be written by another one in a block forall of this kernel; workgroups cannot wait for each other: split the kernel between the two (memspace-split-kernels)}}
  %seventh = tensor.extract %a[%c7] : tensor<8xf32>
  %r = scf.forall (%b) in (8) shared_outs(%o = %ot2) -> (tensor<8xf32>) {
    %d = tensor.extract_slice %o[%b] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %s = scf.forall (%i) in (1) shared_outs(%p = %d) -> (tensor<1xf32>) {
      %n = tensor.insert %seventh into %p[%i] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %n into %p[0] [1] [1] : tensor<1xf32> into tensor<1xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%b] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %a in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %r in restrict writable %out2 : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
