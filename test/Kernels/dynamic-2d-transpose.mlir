// RUN: %python %S/run.py %s
// Transpose of a matrix with dynamic extents; tiles are affine.min in both dimensions.
// EXPECT workgroup_bytes=1024 barriers=1
// DIM 40
// GRID (3, 3, 1)
// RESULT a1 = a0.T
#ceil = affine_map<()[s0] -> (s0 ceildiv 16)>
#tmin = affine_map<(d0)[s0] -> (16, s0 - d0 * 16)>
#m16 = affine_map<(d0) -> (d0 * 16)>
func.func @dynamic_2d_transpose(%x: memref<?x?xf32>, %out: memref<?x?xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 16, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ot = bufferization.to_tensor %out restrict writable : memref<?x?xf32> to tensor<?x?xf32>
  %m = tensor.dim %xt, %c0 : tensor<?x?xf32>
  %n = tensor.dim %xt, %c1 : tensor<?x?xf32>
  %mb = affine.apply #ceil()[%m]
  %nb = affine.apply #ceil()[%n]
  %r = scf.forall (%by, %bx) in (%mb, %nb) shared_outs(%ob = %ot) -> (tensor<?x?xf32>) {
    %tm = affine.min #tmin(%by)[%m]
    %tn = affine.min #tmin(%bx)[%n]
    %bi = affine.apply #m16(%by)
    %bj = affine.apply #m16(%bx)
    %te = tensor.empty(%tm, %tn) : tensor<?x?xf32>
    %t = scf.forall (%i, %j) in (%tm, %tn) shared_outs(%o = %te) -> (tensor<?x?xf32>) {
      %p = arith.addi %bi, %i : index
      %q = arith.addi %bj, %j : index
      %v = tensor.extract %xt[%p, %q] : tensor<?x?xf32>
      %se_ = tensor.from_elements %v : tensor<1x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<?x?xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    %dst = tensor.extract_slice %ob[%bj, %bi] [%tn, %tm] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %u = scf.forall (%i, %j) in (%tn, %tm) shared_outs(%o = %dst) -> (tensor<?x?xf32>) {
      %v = tensor.extract %t[%j, %i] : tensor<?x?xf32>
      %se_ = tensor.from_elements %v : tensor<1x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<?x?xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}

    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%bj, %bi] [%tn, %tm] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?x?xf32>, memref<?x?xf32>) -> ()

  return
}
