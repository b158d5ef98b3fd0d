// RUN: %python %S/run.py %s
// What decides between two destinations is computed though no content of them is
// needed: an index that nobody defined may be out of bounds.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0
func.func @dead_choice_condition(%a: memref<4xi32>, %o: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = bufferization.to_tensor %a restrict : memref<4xi32> to tensor<4xi32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %e0 = tensor.empty() : tensor<4xindex>
  %w = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e0 : tensor<4xindex>) {
  ^bb0(%b: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<4xindex>
  %ws = scf.index_switch %c0 -> tensor<4xindex>
  case 0 {
    scf.yield %w : tensor<4xindex>
  }
  default {
    scf.yield %w : tensor<4xindex>
  }
  %e = tensor.extract %ws[%c0] : tensor<4xindex>
  %x = tensor.extract %t[%e] : tensor<4xi32>
  %c = arith.cmpi sgt, %x, %z : i32
  %e1 = tensor.empty() : tensor<4xi32>
  %e2 = tensor.empty() : tensor<4xi32>
  %d = arith.select %c, %e1, %e2 : tensor<4xi32>
  %r = linalg.copy ins(%t : tensor<4xi32>) outs(%d : tensor<4xi32>) -> tensor<4xi32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}
