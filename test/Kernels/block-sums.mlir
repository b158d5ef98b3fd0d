// RUN: %python %S/run.py %s
// One sum per block, written by uniform code through from_elements.
// EXPECT workgroup_bytes=256 barriers=1
// TOLERANCE 1e-4
// RESULT a1 = (a0 * a0).sum(1)
func.func @block_sums(%x: memref<4x64xf32>, %out: memref<4xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x64xf32> to tensor<4x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zf = arith.constant 0.0 : f32
  %oe = tensor.empty() : tensor<4xf32>
  %r = scf.forall (%b) in (4) shared_outs(%ob = %oe) -> (tensor<4xf32>) {
    %te = tensor.empty() : tensor<64xf32>
    %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xf32>) {
      %a = tensor.extract %xt[%b, %i] : tensor<4x64xf32>
      %v = arith.mulf %a, %a : f32
      %se_ = tensor.from_elements %v : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    %c64 = arith.constant 64 : index
    %s = scf.for %k = %c0 to %c64 step %c1 iter_args(%a = %zf) -> (f32) {
      %q = tensor.extract %t[%k] : tensor<64xf32>
      %n = arith.addf %a, %q : f32
      scf.yield %n : f32
    }
    %o1 = tensor.from_elements %s : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %o1 into %ob[%b] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()

  return
}
