// A shared tile of 100 x 240 x 4 = 96000 bytes: too much for the 64 KiB of
// gfx942; sm_90 has it as dynamic shared memory. Never private.
// EXPECT sm_90: workgroup_bytes=96000 barriers<=1
// RESULT a1 = a0.T + 1
func.func @large_transpose(%x: memref<100x240xi32>, %out: memref<240x100xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<100x240xi32> to tensor<100x240xi32>
  %one = arith.constant 1 : i32
  %te = tensor.empty() : tensor<100x240xi32>
  %t = scf.forall (%i) in (100) shared_outs(%o = %te) -> (tensor<100x240xi32>) {
    %s = tensor.extract_slice %xt[%i, 0] [1, 240] [1, 1] : tensor<100x240xi32> to tensor<240xi32>
    %d = tensor.extract_slice %o[%i, 0] [1, 240] [1, 1] : tensor<100x240xi32> to tensor<240xi32>
    %v = linalg.map ins(%s : tensor<240xi32>) outs(%d : tensor<240xi32>)
      (%a: i32, %init: i32) {
        %b = arith.addi %a, %one : i32
        linalg.yield %b : i32
      }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i, 0] [1, 240] [1, 1] : tensor<240xi32> into tensor<100x240xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<240x100xi32>
  %r = scf.forall (%j) in (120) shared_outs(%o = %oe) -> (tensor<240x100xi32>) {
    %p = affine.apply affine_map<(d0) -> (d0 * 2)>(%j)
    %s = tensor.extract_slice %t[0, %p] [100, 2] [1, 1] : tensor<100x240xi32> to tensor<100x2xi32>
    %d = tensor.extract_slice %o[%p, 0] [2, 100] [1, 1] : tensor<240x100xi32> to tensor<2x100xi32>
    %v = linalg.transpose ins(%s : tensor<100x2xi32>) outs(%d : tensor<2x100xi32>) permutation = [1, 0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%p, 0] [2, 100] [1, 1] : tensor<2x100xi32> into tensor<240x100xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<240x100xi32>, memref<240x100xi32>) -> ()
  return
}
