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
