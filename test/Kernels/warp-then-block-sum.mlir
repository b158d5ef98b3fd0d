// RUN: %python %S/run.py %s
// A partial sum per warp, then a sum over warps by all threads.
// EXPECT sm_90: workgroup_bytes=528 barriers=1
// EXPECT gfx942: workgroup_bytes<=528 barriers<=2
// TOLERANCE 1e-4
// RESULT a1 = a0 / (a0 * a0).sum()
func.func @warp_then_block_sum(%x: memref<4x32xf32>, %out: memref<4x32xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x32xf32> to tensor<4x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zf = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  %we = tensor.empty() : tensor<4xf32>
  %ws = scf.forall (%w) in (4) shared_outs(%oo = %we) -> (tensor<4xf32>) {
    %te = tensor.empty() : tensor<32xf32>
    %t = scf.forall (%l) in (32) shared_outs(%o = %te) -> (tensor<32xf32>) {
      %q = tensor.extract %xt[%w, %l] : tensor<4x32xf32>
      %v = arith.mulf %q, %q : f32
      %se_ = tensor.from_elements %v : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%l] [1] [1] : tensor<1xf32> into tensor<32xf32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    %s = scf.for %k = %c0 to %c32 step %c1 iter_args(%a = %zf) -> (f32) {
      %q = tensor.extract %t[%k] : tensor<32xf32>
      %n = arith.addf %a, %q : f32
      scf.yield %n : f32
    }
    %s1 = tensor.from_elements %s : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s1 into %oo[%w] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  %tot = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %zf) -> (f32) {
    %q = tensor.extract %ws[%k] : tensor<4xf32>
    %n = arith.addf %a, %q : f32
    scf.yield %n : f32
  }
  %oe = tensor.empty() : tensor<4x32xf32>
  %r = scf.forall (%i) in (128) shared_outs(%o = %oe) -> (tensor<4x32xf32>) {
    %p = arith.divui %i, %c32 : index
    %q = arith.remui %i, %c32 : index
    %a = tensor.extract %xt[%p, %q] : tensor<4x32xf32>
    %v = arith.divf %a, %tot : f32
    %s1 = tensor.from_elements %v : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s1 into %o[%p, %q] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x32xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x32xf32>, memref<4x32xf32>) -> ()

  return
}
