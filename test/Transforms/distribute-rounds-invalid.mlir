// RUN: memspace-opt %s -memspace-kernel-pipeline='chip=gfx942' -verify-diagnostics

func.func @into_argument(%A: memref<2xf32>, %B: memref<4xf32>, %O: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %a = bufferization.to_tensor %A restrict : memref<2xf32> to tensor<2xf32>
  %b = bufferization.to_tensor %B restrict : memref<4xf32> to tensor<4xf32>
  // expected-error@+1 {{in kernel 'into_argument' puts a tensor into another one that is needed elsewhere, or cannot be written: the copy of the whole does not end in place; copy the destination into a tensor of its own (linalg.copy), and insert there}}
  %i = tensor.insert_slice %a into %b[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  bufferization.materialize_in_destination %i in restrict writable %O : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
