// RUN: %python %S/run.py %s
// Lanes with private accumulators carried by a loop inside a warp forall.
// EXPECT workgroup_bytes=0 barriers=0
// TOLERANCE 1e-4
// RESULT a1 = a0.sum(1) ** 2
func.func @lane_accumulators(%x: memref<4x8x32xf32>, %out: memref<4x32xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x8x32xf32> to tensor<4x8x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zf = arith.constant 0.0 : f32
  %oe = tensor.empty() : tensor<4x32xf32>
  %r = scf.forall (%w) in (4) shared_outs(%ob = %oe) -> (tensor<4x32xf32>) {
    %ae = tensor.empty() : tensor<32xf32>
    %a0 = linalg.fill ins(%zf : f32) outs(%ae : tensor<32xf32>) -> tensor<32xf32>
    %c8 = arith.constant 8 : index
    %f = scf.for %k = %c0 to %c8 step %c1 iter_args(%a = %a0) -> (tensor<32xf32>) {
      %n = scf.forall (%l) in (32) shared_outs(%o = %a) -> (tensor<32xf32>) {
        %q = tensor.extract %xt[%w, %k, %l] : tensor<4x8x32xf32>
        %p = tensor.extract %o[%l] : tensor<32xf32>
        %v = arith.addf %p, %q : f32
        %se_ = tensor.from_elements %v : tensor<1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %se_ into %o[%l] [1] [1] : tensor<1xf32> into tensor<32xf32>
        }
      } {mapping = [#gpu.lane<linear_dim_0>]}
      scf.yield %n : tensor<32xf32>
    }
    %row = tensor.extract_slice %ob[%w, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<32xf32>
    %y = scf.forall (%l) in (32) shared_outs(%o = %row) -> (tensor<32xf32>) {
      %q = tensor.extract %f[%l] : tensor<32xf32>
      %v = arith.mulf %q, %q : f32
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
