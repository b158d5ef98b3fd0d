// RUN: %python %S/run.py %s
// Butterfly sum in each warp through tiles shared by its lanes.
// EXPECT sm_90: workgroup_bytes<=1024 barriers<=2
// EXPECT gfx942: workgroup_bytes<=1024 barriers<=3
// TOLERANCE 1e-4
// RESULT a1 = np.repeat(a0.sum(1, keepdims=True), 32, 1)
func.func @warp_butterfly(%x: memref<4x32xf32>, %out: memref<4x32xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x32xf32> to tensor<4x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %oe = tensor.empty() : tensor<4x32xf32>
  %r = scf.forall (%w) in (4) shared_outs(%ob = %oe) -> (tensor<4x32xf32>) {
    %te = tensor.empty() : tensor<32xf32>
    %t = scf.forall (%l) in (32) shared_outs(%o = %te) -> (tensor<32xf32>) {
      %v = tensor.extract %xt[%w, %l] : tensor<4x32xf32>
      %se_ = tensor.from_elements %v : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%l] [1] [1] : tensor<1xf32> into tensor<32xf32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    %c5 = arith.constant 5 : index
    %c16 = arith.constant 16 : index
    %f = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %t) -> (tensor<32xf32>) {
      %d = arith.shrui %c16, %k : index
      %ne = tensor.empty() : tensor<32xf32>
      %n = scf.forall (%l) in (32) shared_outs(%o = %ne) -> (tensor<32xf32>) {
        %x0 = tensor.extract %a[%l] : tensor<32xf32>
        %y0 = arith.xori %l, %d : index
        %z0 = tensor.extract %a[%y0] : tensor<32xf32>
        %v = arith.addf %x0, %z0 : f32
        %se_ = tensor.from_elements %v : tensor<1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %se_ into %o[%l] [1] [1] : tensor<1xf32> into tensor<32xf32>
        }
      } {mapping = [#gpu.lane<linear_dim_0>]}
      scf.yield %n : tensor<32xf32>
    }
    %row = tensor.extract_slice %ob[%w, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<32xf32>
    %y = scf.forall (%l) in (32) shared_outs(%o = %row) -> (tensor<32xf32>) {
      %v = tensor.extract %f[%l] : tensor<32xf32>
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
