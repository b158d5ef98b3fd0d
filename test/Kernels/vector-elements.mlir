// RUN: %python %S/run.py %s
// A tile of vector<4xf32>.
// EXPECT workgroup_bytes=512 barriers<=1
// RESULT a1 = (a0 * 2).reshape(32, 4)[::-1].ravel()
func.func @vector_elements(%x: memref<128xf32>, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<128xf32> to tensor<128xf32>
  %c0 = arith.constant 0 : index
  %zf = arith.constant 0.0 : f32
  %c31 = arith.constant 31 : index
  %te = tensor.empty() : tensor<32xvector<4xf32>>
  %t = scf.forall (%i) in (32) shared_outs(%o = %te) -> (tensor<32xvector<4xf32>>) {
    %i4 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %a = vector.transfer_read %xt[%i4], %zf {in_bounds = [true]} : tensor<128xf32>, vector<4xf32>
    %v = arith.addf %a, %a : vector<4xf32>
    %se_ = tensor.from_elements %v : tensor<1xvector<4xf32>>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xvector<4xf32>> into tensor<32xvector<4xf32>>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<128xf32>
  %r = scf.forall (%i) in (32) shared_outs(%o = %oe) -> (tensor<128xf32>) {
    %i4 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %j = arith.subi %c31, %i : index
    %a = tensor.extract %t[%j] : tensor<32xvector<4xf32>>
    %d = tensor.extract_slice %o[%i4] [4] [1] : tensor<128xf32> to tensor<4xf32>
    %w = vector.transfer_write %a, %d[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i4] [4] [1] : tensor<4xf32> into tensor<128xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<128xf32>, memref<128xf32>) -> ()

  return
}
