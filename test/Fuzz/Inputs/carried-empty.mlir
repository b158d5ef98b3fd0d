// A copy back into a carried buffer goes through a fresh one, apart from the buffer
// that the loop carries for it.
func.func @kernel(%arg0: memref<2xi32>, %arg1: memref<12xf32>) attributes {gpu.known_block_size = array<i32: 2, 2, 1>, gpu.known_grid_size = array<i32: 2, 2, 1>} {
  %cst = arith.constant 0.000000e+00 : f32
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = bufferization.to_tensor %arg0 restrict : memref<2xi32> to tensor<2xi32>
  %extracted = tensor.extract %0[%c0] : tensor<2xi32>
  %1 = bufferization.to_tensor %arg1 restrict writable : memref<12xf32> to tensor<12xf32>
  %2 = scf.forall (%arg2, %arg3) in (2, 2) shared_outs(%arg4 = %1) -> (tensor<12xf32>) {
    %3 = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1 * 2)>(%arg2, %arg3)
    %extracted_slice = tensor.extract_slice %arg4[%3] [2] [1] : tensor<12xf32> to tensor<2xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%extracted_slice : tensor<2xf32>) outs(%extracted_slice : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %cst : f32
    } -> tensor<2xf32>
    %5:2 = scf.for %arg5 = %c0 to %c2 step %c1 iter_args(%arg6 = %extracted_slice, %arg7 = %4) -> (tensor<2xf32>, tensor<2xf32>) {
      %6:2 = scf.for %arg8 = %c0 to %c2 step %c1 iter_args(%arg9 = %arg6, %arg10 = %arg7) -> (tensor<2xf32>, tensor<2xf32>) {
        %7 = arith.index_cast %extracted : i32 to index
        %8:2 = scf.index_switch %7 -> tensor<2xf32>, tensor<2xf32> 
        case 0 {
          scf.yield %arg9, %arg10 : tensor<2xf32>, tensor<2xf32>
        }
        case 1 {
          scf.yield %arg10, %arg9 : tensor<2xf32>, tensor<2xf32>
        }
        default {
          scf.yield %arg10, %arg9 : tensor<2xf32>, tensor<2xf32>
        }
        scf.yield %8#0, %8#1 : tensor<2xf32>, tensor<2xf32>
      }
      scf.yield %6#1, %arg6 : tensor<2xf32>, tensor<2xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %5#1 into %arg4[%3] [2] [1] : tensor<2xf32> into tensor<12xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  bufferization.materialize_in_destination %2 in restrict writable %arg1 : (tensor<12xf32>, memref<12xf32>) -> ()
  return
}
