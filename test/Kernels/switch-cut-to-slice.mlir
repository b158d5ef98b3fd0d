// RUN: %python %S/run.py %s
// What a switch chooses from is cut to the element of a thread, as what a branch
// chooses from is.
// EXPECT workgroup_bytes=0 private_bytes=16 executed=0
// INPUT a2 = np.array([1, 0, 2])
// RESULT a1 = a0 * 3 + a0 * 2 + a0 * 7
func.func @switch_cut_to_slice(%x: memref<64xi32>, %out: memref<64xi32>, %s: memref<3xindex>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %i0 = arith.constant 0 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i7 = arith.constant 7 : i32
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %st = bufferization.to_tensor %s restrict : memref<3xindex> to tensor<3xindex>
  %e0 = tensor.empty() : tensor<64xi32>
  %z = linalg.fill ins(%i0 : i32) outs(%e0 : tensor<64xi32>) -> tensor<64xi32>
  %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %z) -> (tensor<64xi32>) {
    %n = tensor.extract %st[%k] : tensor<3xindex>
    %tile = scf.index_switch %n -> tensor<64xi32>
    case 0 {
      %e = tensor.empty() : tensor<64xi32>
      %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%xt : tensor<64xi32>) outs(%e : tensor<64xi32>) {
      ^bb0(%v: i32, %o: i32):
        %w = arith.muli %v, %i2 : i32
        linalg.yield %w : i32
      } -> tensor<64xi32>
      scf.yield %t : tensor<64xi32>
    }
    case 1 {
      %e = tensor.empty() : tensor<64xi32>
      %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%xt : tensor<64xi32>) outs(%e : tensor<64xi32>) {
      ^bb0(%v: i32, %o: i32):
        %w = arith.muli %v, %i3 : i32
        linalg.yield %w : i32
      } -> tensor<64xi32>
      scf.yield %t : tensor<64xi32>
    }
    default {
      %e = tensor.empty() : tensor<64xi32>
      %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%xt : tensor<64xi32>) outs(%e : tensor<64xi32>) {
      ^bb0(%v: i32, %o: i32):
        %w = arith.muli %v, %i7 : i32
        linalg.yield %w : i32
      } -> tensor<64xi32>
      scf.yield %t : tensor<64xi32>
    }
    %m = linalg.add ins(%acc, %tile : tensor<64xi32>, tensor<64xi32>) outs(%acc : tensor<64xi32>) -> tensor<64xi32>
    scf.yield %m : tensor<64xi32>
  }
  bufferization.materialize_in_destination %sum in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
