// RUN: %python %S/run.py %s
// Blocks stage 72 inputs and a halo of 4 in one tile, by two foralls that write
// disjoint elements: one barrier, after both.
// EXPECT workgroup_bytes=608 barriers<=1
// RESULT a1 = sum(a0[k:360 + k] * w for k, w in enumerate((0.125, 0.25, 0.25, 0.25, 0.125)))
#base = affine_map<(d0, d1) -> (d0 * 72 + d1)>
#m72 = affine_map<(d0) -> (d0 * 72)>
func.func @halo_stencil(%x: memref<364xf64>, %out: memref<360xf64>)
    attributes {gpu.known_block_size = array<i32: 72, 1, 1>, gpu.known_grid_size = array<i32: 5, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<364xf64> to tensor<364xf64>
  %c0 = arith.constant 0 : index
  %c72 = arith.constant 72 : index
  %w = arith.constant dense<[0.125, 0.25, 0.25, 0.25, 0.125]> : tensor<5xf64>
  %zero = arith.constant 0.0 : f64
  %oe = tensor.empty() : tensor<360xf64>
  %r = scf.forall (%b) in (5) shared_outs(%ob = %oe) -> (tensor<360xf64>) {
    %te = tensor.empty() : tensor<76xf64>
    %t0 = scf.forall (%i) in (72) shared_outs(%o = %te) -> (tensor<76xf64>) {
      %p = affine.apply #base(%b, %i)
      %v = tensor.extract %xt[%p] : tensor<364xf64>
      %s = tensor.from_elements %v : tensor<1xf64>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf64> into tensor<76xf64>
      }
    } {mapping = [#gpu.thread<x>]}
    %t = scf.forall (%i) in (4) shared_outs(%o = %t0) -> (tensor<76xf64>) {
      %h = arith.addi %i, %c72 : index
      %p = affine.apply #base(%b, %h)
      %v = tensor.extract %xt[%p] : tensor<364xf64>
      %s = tensor.from_elements %v : tensor<1xf64>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%h] [1] [1] : tensor<1xf64> into tensor<76xf64>
      }
    } {mapping = [#gpu.thread<x>]}
    %m = affine.apply #m72(%b)
    %dst = tensor.extract_slice %ob[%m] [72] [1] : tensor<360xf64> to tensor<72xf64>
    %u = scf.forall (%i) in (72) shared_outs(%o = %dst) -> (tensor<72xf64>) {
      %win = tensor.extract_slice %t[%i] [5] [1] : tensor<76xf64> to tensor<5xf64>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<72xf64> to tensor<f64>
      %d0 = linalg.fill ins(%zero : f64) outs(%d : tensor<f64>) -> tensor<f64>
      %s = linalg.dot ins(%win, %w : tensor<5xf64>, tensor<5xf64>) outs(%d0 : tensor<f64>) -> tensor<f64>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<f64> into tensor<72xf64>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%m] [72] [1] : tensor<72xf64> into tensor<360xf64>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<360xf64>, memref<360xf64>) -> ()
  return
}
