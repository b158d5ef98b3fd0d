// RUN: memspace-opt %s -memspace-normalize-kernels=chip=gfx942 -verify-diagnostics

// A tile size that is no constant: upstream cannot decompose it.
func.func @pack(%A: memref<?x?xf32>, %B: memref<?x?x?x4xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 32,1,1>, gpu.known_grid_size = array<i32: 1,1,1>} {
  %a = bufferization.to_tensor %A restrict : memref<?x?xf32> to tensor<?x?xf32>
  %b = bufferization.to_tensor %B restrict writable : memref<?x?x?x4xf32> to tensor<?x?x?x4xf32>
  // expected-error @below {{'linalg.pack' has no lowering to loops, and upstream does not decompose this one; make its tile sizes and shapes static, or write it with other linalg ops}}
  %p = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [%n, 4] into %b : tensor<?x?xf32> -> tensor<?x?x?x4xf32>
  bufferization.materialize_in_destination %p in restrict writable %B : (tensor<?x?x?x4xf32>, memref<?x?x?x4xf32>) -> ()
  return
}
