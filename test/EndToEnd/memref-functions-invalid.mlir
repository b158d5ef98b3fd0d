// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-compile-pipeline=chip=gfx942

#ij = affine_map<(i, j) -> (i, j)>
// A workgroup would read what its neighbour has overwritten.
func.func @stencil(%a: memref<64x256xf32>) {
  %t = bufferization.to_tensor %a restrict writable : memref<64x256xf32> to tensor<64x256xf32>
  %left = tensor.extract_slice %t[0, 0] [64, 254] [1, 1] : tensor<64x256xf32> to tensor<64x254xf32>
  %center = tensor.extract_slice %t[0, 1] [64, 254] [1, 1] : tensor<64x256xf32> to tensor<64x254xf32>
  // expected-error@+1 {{'stencil' does not become a kernel for gfx942, however it is tiled: memref is read through a 'restrict' tensor and overwritten by another one}}
  %x = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%left : tensor<64x254xf32>) outs(%center : tensor<64x254xf32>) {
  ^bb0(%p: f32, %o: f32):
    %e = math.exp %p : f32
    linalg.yield %e : f32
  } -> tensor<64x254xf32>
  %y = tensor.insert_slice %x into %t[0, 1] [64, 254] [1, 1] : tensor<64x254xf32> into tensor<64x256xf32>
  bufferization.materialize_in_destination %y in restrict writable %a : (tensor<64x256xf32>, memref<64x256xf32>) -> ()
  return
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
// The same on memrefs: the parts overlap.
func.func @stencil_on_memrefs(%a: memref<64x256xf32>) {
  %left = memref.subview %a[0, 0] [64, 254] [1, 1] : memref<64x256xf32> to memref<64x254xf32, strided<[256, 1]>>
  %center = memref.subview %a[0, 1] [64, 254] [1, 1] : memref<64x256xf32> to memref<64x254xf32, strided<[256, 1], offset: 1>>
  // expected-error@+1 {{has operands 0 and 1 in one memory, of which it writes the second, and in which order it does so linalg does not say; copy one first}}
  linalg.exp ins(%left : memref<64x254xf32, strided<[256, 1]>>) outs(%center : memref<64x254xf32, strided<[256, 1], offset: 1>>)
  return
}
