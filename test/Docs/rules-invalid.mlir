// The refusals of docs/rules.md.
// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-kernel-pipeline=chip=gfx942

func.func @over_budget(%X: memref<32768xf32>, %Y: memref<32768xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %X restrict : memref<32768xf32> to tensor<32768xf32>
  // expected-error @below {{no memory space for this 'tensor<32768xf32>': needs 131072 bytes of workgroup memory; the limit of gfx942 is 65536; use smaller tiles, or fuse the producer into its consumer}}
  // expected-note @below {{must-share: an element written by one thread is read by another}}
  %e = tensor.empty() : tensor<32768xf32>
  %s = scf.forall (%i) in (32768) shared_outs(%o = %e) -> (tensor<32768xf32>) {
    %v = tensor.extract_slice %x[%i] [1] [1] : tensor<32768xf32> to tensor<1xf32>
    %to = tensor.extract_slice %o[%i] [1] [1] : tensor<32768xf32> to tensor<1xf32>
    // expected-note @below {{here}}
    %c = linalg.copy ins(%v : tensor<1xf32>) outs(%to : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [1] [1] : tensor<1xf32> into tensor<32768xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f = tensor.empty() : tensor<32768xf32>
  %y = scf.forall (%i) in (32768) shared_outs(%o = %f) -> (tensor<32768xf32>) {
    %from = affine.apply affine_map<(i) -> (32767 - i)>(%i)
    %v = tensor.extract_slice %s[%from] [1] [1] : tensor<32768xf32> to tensor<1xf32>
    %to = tensor.extract_slice %o[%i] [1] [1] : tensor<32768xf32> to tensor<1xf32>
    // expected-note @below {{here}}
    %c = linalg.copy ins(%v : tensor<1xf32>) outs(%to : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [1] [1] : tensor<1xf32> into tensor<32768xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %y in restrict writable %Y : (tensor<32768xf32>, memref<32768xf32>) -> ()
  return
}

// -----

func.func @unbounded(%X: memref<?xf32>, %Y: memref<?xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %X restrict : memref<?xf32> to tensor<?xf32>
  // expected-error @below {{no memory space for this 'tensor<?xf32>': must be workgroup memory, but an extent has no constant upper bound; bound it (for example by affine.min with a tile size)}}
  // expected-note @below {{must-share: an element written by one thread is read by another}}
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = scf.forall (%i) in (%n) shared_outs(%o = %e) -> (tensor<?xf32>) {
    %v = tensor.extract_slice %x[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %to = tensor.extract_slice %o[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    // expected-note @below {{here}}
    %c = linalg.copy ins(%v : tensor<1xf32>) outs(%to : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f = tensor.empty(%n) : tensor<?xf32>
  %y = scf.forall (%i) in (%n) shared_outs(%o = %f) -> (tensor<?xf32>) {
    %from = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%i)[%n]
    %v = tensor.extract_slice %s[%from] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %to = tensor.extract_slice %o[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    // expected-note @below {{here}}
    %c = linalg.copy ins(%v : tensor<1xf32>) outs(%to : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %y in restrict writable %Y : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
