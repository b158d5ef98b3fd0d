// RUN: memspace-opt %s -split-input-file -memspace-normalize-kernels=chip=gfx942 -verify-diagnostics

// Each thread reads an element that another one writes.
func.func @neighbours(%m: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c63 = arith.constant 63 : index
  // expected-note @below {{the other access to this memref}}
  %c = bufferization.to_tensor %m restrict writable : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%o = %e) -> (tensor<64xf32>) {
    %n = arith.subi %c63, %t : index
    %s = tensor.extract_slice %o[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %old = tensor.extract_slice %c[%n] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %w = linalg.exp ins(%old : tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  // expected-error @below {{memref is read through a 'restrict' tensor and overwritten by another one; materialize an update of the tensor, or read only elements of the slice that an iteration writes}}
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// A read may leave the slice, which has fewer elements.
func.func @larger(%m: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  // expected-note @below {{the other access to this memref}}
  %c = bufferization.to_tensor %m restrict writable : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%t) = (0) to (64) step (2) shared_outs(%o = %e) -> (tensor<64xf32>) {
    %s = tensor.extract_slice %o[%t] [2] [1] : tensor<64xf32> to tensor<2xf32>
    %old = vector.transfer_read %c[%t], %f0 : tensor<64xf32>, vector<4xf32>
    %two = vector.extract_strided_slice %old {offsets = [2], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
    %w = vector.transfer_write %two, %s[%c0] {in_bounds = [true]} : vector<2xf32>, tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%t] [2] [1] : tensor<2xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  // expected-error @below {{memref is read through a 'restrict' tensor and overwritten by another one; materialize an update of the tensor, or read only elements of the slice that an iteration writes}}
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
