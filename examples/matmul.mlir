// C (256x192, f32) = A (256x96, f16) x B (96x192, f16), written on tensors.
//
// A block of 16x16 threads makes a 64x48 tile of C. It walks over K in steps of
// 16: the threads load a tile of A and a tile of B together, then each thread
// multiplies into its own 4x3 corner of the accumulator. Nothing here says where
// a tile lives, who fills the accumulator, or where threads must wait:
//
//   memspace-opt examples/matmul.mlir --memspace-kernel-pipeline=chip=gfx942
//
// utils/demo.sh runs this and shows the answers beside what the assembly says.

#tile_row = affine_map<(block) -> (block * 64)>
#tile_col = affine_map<(block) -> (block * 48)>
#by4 = affine_map<(thread) -> (thread * 4)>
#by3 = affine_map<(thread) -> (thread * 3)>
#a_row = affine_map<(block, thread) -> (block * 64 + thread * 4)>
#b_col = affine_map<(block, thread) -> (block * 48 + thread * 3)>

func.func @matmul(%A: memref<256x96xf16>, %B: memref<96x192xf16>, %C: memref<256x192xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 16, 1>, gpu.known_grid_size = array<i32: 4, 4, 1>} {
  %a = bufferization.to_tensor %A restrict : memref<256x96xf16> to tensor<256x96xf16>
  %b = bufferization.to_tensor %B restrict : memref<96x192xf16> to tensor<96x192xf16>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c96 = arith.constant 96 : index
  %empty = tensor.empty() : tensor<256x192xf32>
  %product = scf.forall (%block_y, %block_x) in (4, 4) shared_outs(%result = %empty) -> (tensor<256x192xf32>) {
    %row = affine.apply #tile_row(%block_y)
    %col = affine.apply #tile_col(%block_x)
    %accumulator = tensor.empty() : tensor<64x48xf32>
    %cleared = linalg.fill ins(%zero : f32) outs(%accumulator : tensor<64x48xf32>) -> tensor<64x48xf32>
    %sum = scf.for %k = %c0 to %c96 step %c16 iter_args(%partial = %cleared) -> (tensor<64x48xf32>) {
      // Thread (ty, tx) loads four elements of A and three of B.
      %a_tile_empty = tensor.empty() : tensor<64x16xf16>
      %a_tile = scf.forall (%ty, %tx) in (16, 16) shared_outs(%tile = %a_tile_empty) -> (tensor<64x16xf16>) {
        %from_row = affine.apply #a_row(%block_y, %ty)
        %from_col = arith.addi %k, %tx : index
        %to_row = affine.apply #by4(%ty)
        %from = tensor.extract_slice %a[%from_row, %from_col] [4, 1] [1, 1] : tensor<256x96xf16> to tensor<4x1xf16>
        %to = tensor.extract_slice %tile[%to_row, %tx] [4, 1] [1, 1] : tensor<64x16xf16> to tensor<4x1xf16>
        %loaded = linalg.copy ins(%from : tensor<4x1xf16>) outs(%to : tensor<4x1xf16>) -> tensor<4x1xf16>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %loaded into %tile[%to_row, %tx] [4, 1] [1, 1] : tensor<4x1xf16> into tensor<64x16xf16>
        }
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
      %b_tile_empty = tensor.empty() : tensor<16x48xf16>
      %b_tile = scf.forall (%ty, %tx) in (16, 16) shared_outs(%tile = %b_tile_empty) -> (tensor<16x48xf16>) {
        %from_row = arith.addi %k, %ty : index
        %from_col = affine.apply #b_col(%block_x, %tx)
        %to_col = affine.apply #by3(%tx)
        %from = tensor.extract_slice %b[%from_row, %from_col] [1, 3] [1, 1] : tensor<96x192xf16> to tensor<1x3xf16>
        %to = tensor.extract_slice %tile[%ty, %to_col] [1, 3] [1, 1] : tensor<16x48xf16> to tensor<1x3xf16>
        %loaded = linalg.copy ins(%from : tensor<1x3xf16>) outs(%to : tensor<1x3xf16>) -> tensor<1x3xf16>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %loaded into %tile[%ty, %to_col] [1, 3] [1, 1] : tensor<1x3xf16> into tensor<16x48xf16>
        }
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
      %next = scf.forall (%ty, %tx) in (16, 16) shared_outs(%c = %partial) -> (tensor<64x48xf32>) {
        %r = affine.apply #by4(%ty)
        %s = affine.apply #by3(%tx)
        %rows = tensor.extract_slice %a_tile[%r, 0] [4, 16] [1, 1] : tensor<64x16xf16> to tensor<4x16xf16>
        %cols = tensor.extract_slice %b_tile[0, %s] [16, 3] [1, 1] : tensor<16x48xf16> to tensor<16x3xf16>
        %corner = tensor.extract_slice %c[%r, %s] [4, 3] [1, 1] : tensor<64x48xf32> to tensor<4x3xf32>
        %mac = linalg.matmul ins(%rows, %cols : tensor<4x16xf16>, tensor<16x3xf16>)
                             outs(%corner : tensor<4x3xf32>) -> tensor<4x3xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %mac into %c[%r, %s] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<64x48xf32>
        }
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
      scf.yield %next : tensor<64x48xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %result[%row, %col] [64, 48] [1, 1] : tensor<64x48xf32> into tensor<256x192xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  bufferization.materialize_in_destination %product in restrict writable %C : (tensor<256x192xf32>, memref<256x192xf32>) -> ()
  return
}
