// C (64x128, f32) = A (64x512, f16) x B (512x128, f16) by one block of 16x16
// threads, written on memrefs, as any compiler may leave it. Tiles of A and B
// go through three slots each, and the result through a tile of its own so that
// whole rows are stored. docs/budget.md asks whether it fits, and why not.

#wg = #gpu.address_space<workgroup>
#private = #gpu.address_space<private>
#by4 = affine_map<(thread) -> (thread * 4)>
#by8 = affine_map<(thread) -> (thread * 8)>
#tile = affine_map<(k) -> (k * 64)>
#tile_by4 = affine_map<(k, thread) -> (k * 64 + thread * 4)>
#store_row = affine_map<(y, x) -> (y * 4 + x floordiv 4)>
#store_col = affine_map<(x) -> ((x mod 4) * 32)>

func.func @matmul(%A: memref<64x512xf16>, %B: memref<512x128xf16>, %C: memref<64x128xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 16, 1>} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %row = affine.apply #by4(%y)
  %col = affine.apply #by8(%x)
  %sum = memref.alloca() : memref<4x8xf32, #private>
  linalg.fill ins(%zero : f32) outs(%sum : memref<4x8xf32, #private>)

  %a_tiles = memref.alloc() : memref<3x64x64xf16, #wg>
  %b_tiles = memref.alloc() : memref<3x64x128xf16, #wg>
  scf.for %k = %c0 to %c8 step %c1 {
    %slot = arith.remui %k, %c3 : index
    // Each thread loads 4x4 elements of A and 4x8 of B.
    %a_col = affine.apply #by4(%x)
    %a_from_col = affine.apply #tile_by4(%k, %x)
    %a_from = memref.subview %A[%row, %a_from_col] [4, 4] [1, 1] : memref<64x512xf16> to memref<4x4xf16, strided<[512, 1], offset: ?>>
    %a_to = memref.subview %a_tiles[%slot, %row, %a_col] [1, 4, 4] [1, 1, 1] : memref<3x64x64xf16, #wg> to memref<4x4xf16, strided<[64, 1], offset: ?>, #wg>
    linalg.copy ins(%a_from : memref<4x4xf16, strided<[512, 1], offset: ?>>) outs(%a_to : memref<4x4xf16, strided<[64, 1], offset: ?>, #wg>)
    %b_from_row = affine.apply #tile_by4(%k, %y)
    %b_from = memref.subview %B[%b_from_row, %col] [4, 8] [1, 1] : memref<512x128xf16> to memref<4x8xf16, strided<[128, 1], offset: ?>>
    %b_to = memref.subview %b_tiles[%slot, %row, %col] [1, 4, 8] [1, 1, 1] : memref<3x64x128xf16, #wg> to memref<4x8xf16, strided<[128, 1], offset: ?>, #wg>
    linalg.copy ins(%b_from : memref<4x8xf16, strided<[128, 1], offset: ?>>) outs(%b_to : memref<4x8xf16, strided<[128, 1], offset: ?>, #wg>)
    // Each thread has 4x8 elements of C.
    %rows = memref.subview %a_tiles[%slot, %row, 0] [1, 4, 64] [1, 1, 1] : memref<3x64x64xf16, #wg> to memref<4x64xf16, strided<[64, 1], offset: ?>, #wg>
    %cols = memref.subview %b_tiles[%slot, 0, %col] [1, 64, 8] [1, 1, 1] : memref<3x64x128xf16, #wg> to memref<64x8xf16, strided<[128, 1], offset: ?>, #wg>
    linalg.matmul ins(%rows, %cols : memref<4x64xf16, strided<[64, 1], offset: ?>, #wg>, memref<64x8xf16, strided<[128, 1], offset: ?>, #wg>)
                  outs(%sum : memref<4x8xf32, #private>)
  }

  %c_tile = memref.alloc() : memref<64x128xf32, #wg>
  %corner = memref.subview %c_tile[%row, %col] [4, 8] [1, 1] : memref<64x128xf32, #wg> to memref<4x8xf32, strided<[128, 1], offset: ?>, #wg>
  linalg.copy ins(%sum : memref<4x8xf32, #private>) outs(%corner : memref<4x8xf32, strided<[128, 1], offset: ?>, #wg>)
  // Four threads store one row.
  %store_row = affine.apply #store_row(%y, %x)
  %store_col = affine.apply #store_col(%x)
  %from = memref.subview %c_tile[%store_row, %store_col] [1, 32] [1, 1] : memref<64x128xf32, #wg> to memref<1x32xf32, strided<[128, 1], offset: ?>, #wg>
  %to = memref.subview %C[%store_row, %store_col] [1, 32] [1, 1] : memref<64x128xf32> to memref<1x32xf32, strided<[128, 1], offset: ?>>
  linalg.copy ins(%from : memref<1x32xf32, strided<[128, 1], offset: ?>, #wg>) outs(%to : memref<1x32xf32, strided<[128, 1], offset: ?>>)
  return
}
