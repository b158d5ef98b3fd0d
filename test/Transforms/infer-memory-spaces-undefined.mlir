// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-infer-memory-spaces=chip=gfx942

// Each thread has a tensor of its own: its neighbour's element is not in it.
func.func @neighbour(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %r = scf.forall (%t) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %v = tensor.extract %xt[%t] : tensor<64xf32>
    // expected-note @+1 {{allocated here, without contents}}
    %e = tensor.empty() : tensor<64xf32>
    %own = tensor.insert %v into %e[%t] : tensor<64xf32>
    %next = affine.apply affine_map<(d0) -> ((d0 + 1) mod 64)>(%t)
    // expected-warning @+1 {{reads elements of a tensor of each thread that it has not written; write them first, or allocate the tensor outside, where those who write them share it}}
    %n = tensor.extract %own[%next] : tensor<64xf32>
    %s = tensor.extract_slice %o[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %d = tensor.insert %n into %s[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// An element that may be its own one.
func.func @any(%x: memref<64xf32>, %i: index, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %r = scf.forall (%t) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %v = tensor.extract %xt[%t] : tensor<64xf32>
    %e = tensor.empty() : tensor<64xf32>
    %own = tensor.insert %v into %e[%t] : tensor<64xf32>
    %n = tensor.extract %own[%i] : tensor<64xf32>
    %s = tensor.extract_slice %o[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %d = tensor.insert %n into %s[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Nobody reads in a loop without an iteration.
func.func @never_read(%A: memref<32xf32>, %O: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %a = bufferization.to_tensor %A restrict : memref<32xf32> to tensor<32xf32>
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<32xf32>
  %out = tensor.empty() : tensor<32xf32>
  %t = scf.forall (%i) in (32) shared_outs(%o = %e) -> (tensor<32xf32>) {
    %x = tensor.extract_slice %a[%i] [1] [1] : tensor<32xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<32xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %r = scf.forall (%i) in (32) shared_outs(%o = %out) -> (tensor<32xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<32xf32> to tensor<1xf32>
    %c0 = arith.constant 0 : index
    %x = tensor.extract %s[%c0] : tensor<1xf32>
    %sum = scf.for %k = %c1 to %c1 step %c1 iter_args(%y = %x) -> (f32) {
      %z = tensor.extract %s[%k] : tensor<1xf32>
      %n = arith.addf %y, %z : f32
      scf.yield %n : f32
    }
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<32xf32> to tensor<1xf32>
    %w = tensor.insert %sum into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i] [1] [1] : tensor<1xf32> into tensor<32xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %O : (tensor<32xf32>, memref<32xf32>) -> ()
  return
}
