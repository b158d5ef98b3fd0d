// RUN: %python %S/run.py %s
// A branch chooses whether two loop-carried tiles of a thread change places: each may be either.
// EXPECT workgroup_bytes=0 barriers=0
// INPUT a0 = np.arange(128) - 7
// RESULT a1 = np.broadcast_to([119, 120], (64, 2)) - 3 * (a0.reshape(64, 2))
func.func @branches_swap_in_loop(%x: memref<128xi32>, %out: memref<64x2xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %xt = bufferization.to_tensor %x restrict : memref<128xi32> to tensor<128xi32>
  %e = tensor.empty() : tensor<64x2xi32>
  %last = tensor.extract_slice %xt[126] [2] [1] : tensor<128xi32> to tensor<2xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64x2xi32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %own = tensor.extract_slice %xt[%at] [2] [1] : tensor<128xi32> to tensor<2xi32>
    // Swapped in iterations 0, 1 and 3.
    %f:2 = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %own, %b = %last) -> (tensor<2xi32>, tensor<2xi32>) {
      %even = arith.remui %k, %c2 : index
      %odd = arith.cmpi eq, %even, %c1 : index
      %first = arith.cmpi eq, %k, %c0 : index
      %swap = arith.ori %odd, %first : i1
      %s:2 = scf.if %swap -> (tensor<2xi32>, tensor<2xi32>) {
        scf.yield %b, %a : tensor<2xi32>, tensor<2xi32>
      } else {
        scf.yield %a, %b : tensor<2xi32>, tensor<2xi32>
      }
      scf.yield %s#0, %s#1 : tensor<2xi32>, tensor<2xi32>
    }
    %me = tensor.empty() : tensor<2xi32>
    %t = linalg.add ins(%f#1, %f#1 : tensor<2xi32>, tensor<2xi32>) outs(%me : tensor<2xi32>) -> tensor<2xi32>
    %u = linalg.add ins(%t, %f#1 : tensor<2xi32>, tensor<2xi32>) outs(%me : tensor<2xi32>) -> tensor<2xi32>
    %de = tensor.empty() : tensor<2xi32>
    %d = linalg.sub ins(%f#0, %u : tensor<2xi32>, tensor<2xi32>) outs(%de : tensor<2xi32>) -> tensor<2xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i, 0] [1, 2] [1, 1] : tensor<2xi32> into tensor<64x2xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64x2xi32>, memref<64x2xi32>) -> ()
  return
}
