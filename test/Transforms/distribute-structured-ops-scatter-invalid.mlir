// RUN: memspace-opt %s -split-input-file -memspace-distribute-structured-ops=chip=gfx942 -verify-diagnostics

// No target has a product.
func.func @product(%in: memref<24xf32>, %index: memref<24x1xi32>, %out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<24xf32> to tensor<24xf32>
  %i = bufferization.to_tensor %index restrict : memref<24x1xi32> to tensor<24x1xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  // expected-error@+1 {{'memspace.scatter' op shared by threads needs atomic updates of 'f32' by its combiner, which there are not; 'unique_indices' needs none, integers of 8, 16, 32 and 64 bits have them for any combiner, f16, bf16, f32 and f64 for sums, minima and maxima; or let one thread do it, in a 'scf.forall' of one iteration}}
  %s = memspace.scatter scatter_dims([0]) ins(%u, %i : tensor<24xf32>, tensor<24x1xi32>) outs(%o : tensor<8xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.mulf %x, %old : f32
    memspace.yield %y : f32
  } -> tensor<8xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

func.func @type(%in: memref<24xindex>, %index: memref<24x1xi32>, %out: memref<8xindex>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<24xindex> to tensor<24xindex>
  %i = bufferization.to_tensor %index restrict : memref<24x1xi32> to tensor<24x1xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<8xindex> to tensor<8xindex>
  // expected-error@+1 {{needs atomic updates of 'index' by its combiner, which there are not}}
  %s = memspace.scatter scatter_dims([0]) ins(%u, %i : tensor<24xindex>, tensor<24x1xi32>) outs(%o : tensor<8xindex>) -> tensor<8xindex>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xindex>, memref<8xindex>) -> ()
  return
}

// -----

func.func @grid(%x: memref<8x64xf32>, %y: memref<64xf32>, %index: memref<64x1xi32>, %out: memref<8x64xf32>, %more: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<8x64xf32> to tensor<8x64xf32>
  %u = bufferization.to_tensor %y restrict : memref<64xf32> to tensor<64xf32>
  %at = bufferization.to_tensor %index restrict : memref<64x1xi32> to tensor<64x1xi32>
  %d = bufferization.to_tensor %more restrict writable : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %e) -> tensor<8x64xf32> {
    %row = tensor.extract_slice %t[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %o[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<8x64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  // expected-error@+1 {{'memspace.scatter' op is executed by a grid, which cannot share it; put it, 'atomic', into a 'scf.forall' of blocks, or of warps, over its updates}}
  %s = memspace.scatter scatter_dims([0]) unique_indices ins(%u, %at : tensor<64xf32>, tensor<64x1xi32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %more : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
