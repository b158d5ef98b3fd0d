func.func @kernel(%in: memref<64xi32>, %out: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = bufferization.to_tensor %in restrict : memref<64xi32> to tensor<64xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xi32> to tensor<64xi32>
  %r = scf.forall (%t) in (16) shared_outs(%s = %o) -> (tensor<64xi32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)
    %mine = tensor.extract_slice %x[%at] [4] [1] : tensor<64xi32> to tensor<4xi32>
    %dest = tensor.extract_slice %s[%at] [4] [1] : tensor<64xi32> to tensor<4xi32>
    %n = arith.andi %t, %c3 : index
    %outer:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %mine, %b = %mine, %c = %mine) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
      %square = linalg.mul ins(%c, %c : tensor<4xi32>, tensor<4xi32>) outs(%dest : tensor<4xi32>) -> tensor<4xi32>
      %turned:3 = scf.for %j = %c0 to %c2 step %c1 iter_args(%p = %b, %q = %square, %u = %a) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
        %inner:3 = scf.for %k = %c0 to %c3 step %c1 iter_args(%f = %p, %g = %q, %h = %u) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
          scf.yield %g, %h, %f : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
        }
        scf.yield %inner#1, %inner#2, %inner#0 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
      }
      %e = tensor.empty() : tensor<4xi32>
      %sum = linalg.add ins(%turned#0, %turned#1 : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
      scf.yield %turned#2, %sum, %turned#0 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %outer#2 into %s[%at] [4] [1] : tensor<4xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
