// RUN: %python %S/run.py %s
// In a loop the branches take turns, and each has a tile: threads need not wait
// for those who still read the tile of the iteration before.
// EXPECT workgroup_bytes=512 executed=4
// RESULT a1 = a0[::-1] * 4 + 6
func.func @branches_take_turns(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %e0 = tensor.empty() : tensor<64xi32>
  %z = linalg.fill ins(%i0 : i32) outs(%e0 : tensor<64xi32>) -> tensor<64xi32>
  %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<64xi32>) {
    %m = arith.remui %k, %c2 : index
    %even = arith.cmpi eq, %m, %c0 : index
    %tile = scf.if %even -> (tensor<64xi32>) {
      %e = tensor.empty() : tensor<64xi32>
      %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%xt : tensor<64xi32>) outs(%e : tensor<64xi32>) {
      ^bb0(%v: i32, %o: i32):
        %w = arith.addi %v, %i1 : i32
        linalg.yield %w : i32
      } -> tensor<64xi32>
      scf.yield %t : tensor<64xi32>
    } else {
      %e = tensor.empty() : tensor<64xi32>
      %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%xt : tensor<64xi32>) outs(%e : tensor<64xi32>) {
      ^bb0(%v: i32, %o: i32):
        %w = arith.addi %v, %i2 : i32
        linalg.yield %w : i32
      } -> tensor<64xi32>
      scf.yield %t : tensor<64xi32>
    }
    %n = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%tile : tensor<64xi32>) outs(%acc : tensor<64xi32>) {
    ^bb0(%v: i32, %o: i32):
      %w = arith.addi %v, %o : i32
      linalg.yield %w : i32
    } -> tensor<64xi32>
    scf.yield %n : tensor<64xi32>
  }
  bufferization.materialize_in_destination %sum in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
