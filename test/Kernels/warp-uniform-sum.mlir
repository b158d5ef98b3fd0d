// RUN: %python %S/run.py %s
// Lanes write squares, warp-uniform code sums them, lanes divide.
// EXPECT workgroup_bytes<=512 barriers<=1
// TOLERANCE 1e-4
// RESULT a1 = a0 / (a0 * a0).sum(1, keepdims=True)
func.func @warp_uniform_sum(%x: memref<4x32xf32>, %out: memref<4x32xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x32xf32> to tensor<4x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zf = arith.constant 0.0 : f32
  %oe = tensor.empty() : tensor<4x32xf32>
  %r = scf.forall (%w) in (4) shared_outs(%ob = %oe) -> (tensor<4x32xf32>) {
    %te = tensor.empty() : tensor<32xf32>
    %t = scf.forall (%l) in (32) shared_outs(%o = %te) -> (tensor<32xf32>) {
      %q = tensor.extract %xt[%w, %l] : tensor<4x32xf32>
      %v = arith.mulf %q, %q : f32
      %se_ = tensor.from_elements %v : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%l] [1] [1] : tensor<1xf32> into tensor<32xf32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    %c32 = arith.constant 32 : index
    %s = scf.for %k = %c0 to %c32 step %c1 iter_args(%a = %zf) -> (f32) {
      %q = tensor.extract %t[%k] : tensor<32xf32>
      %n = arith.addf %a, %q : f32
      scf.yield %n : f32
    }
    %row = tensor.extract_slice %ob[%w, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<32xf32>
    %y = scf.forall (%l) in (32) shared_outs(%o = %row) -> (tensor<32xf32>) {
      %q = tensor.extract %xt[%w, %l] : tensor<4x32xf32>
      %v = arith.divf %q, %s : f32
      %se_ = tensor.from_elements %v : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%l] [1] [1] : tensor<1xf32> into tensor<32xf32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}

    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %ob[%w, 0] [1, 32] [1, 1] : tensor<32xf32> into tensor<4x32xf32>
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x32xf32>, memref<4x32xf32>) -> ()

  return
}
