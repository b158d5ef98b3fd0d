// RUN: %python %S/run.py %s
// Batched matmul, dynamic M in tiles of affine.min(16, rest); one row is staged by thread (0, y), read by all of its row.
// EXPECT workgroup_bytes=512 barriers<=1
// TOLERANCE 1e-4
// DIM 40
// GRID (3, 1, 4)
// RESULT a2 = a0 @ a1
#ceil = affine_map<()[s0] -> (s0 ceildiv 16)>
#tmin = affine_map<(d0)[s0] -> (16, s0 - d0 * 16)>
#m16 = affine_map<(d0) -> (d0 * 16)>
#m4 = affine_map<(d0) -> (d0 * 4)>
func.func @batch_matmul_dynamic(%a: memref<4x?x8xf32>, %b: memref<4x8x16xf32>, %out: memref<4x?x16xf32>)
    attributes {gpu.known_block_size = array<i32: 4, 16, 1>} {
  %at = bufferization.to_tensor %a restrict : memref<4x?x8xf32> to tensor<4x?x8xf32>
  %bt = bufferization.to_tensor %b restrict : memref<4x8x16xf32> to tensor<4x8x16xf32>
  %c1 = arith.constant 1 : index
  %zf = arith.constant 0.0 : f32
  %c16 = arith.constant 16 : index
  %ot = bufferization.to_tensor %out restrict writable : memref<4x?x16xf32> to tensor<4x?x16xf32>
  %m = tensor.dim %at, %c1 : tensor<4x?x8xf32>
  %mb = affine.apply #ceil()[%m]
  %r = scf.forall (%z, %by) in (4, %mb) shared_outs(%ob = %ot) -> (tensor<4x?x16xf32>) {
    %ts = affine.min #tmin(%by)[%m]
    %bi = affine.apply #m16(%by)
    %te = tensor.empty(%ts) : tensor<?x8xf32>
    %t = scf.forall (%i) in (%ts) shared_outs(%o = %te) -> (tensor<?x8xf32>) {
      %p = arith.addi %bi, %i : index
      %s = tensor.extract_slice %at[%z, %p, 0] [1, 1, 8] [1, 1, 1] : tensor<4x?x8xf32> to tensor<1x8xf32>
      %d = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<1x8xf32>
      %cp = linalg.copy ins(%s : tensor<1x8xf32>) outs(%d : tensor<1x8xf32>) -> tensor<1x8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %cp into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<?x8xf32>
      }
    } {mapping = [#gpu.thread<y>]}
    %dst = tensor.extract_slice %ob[%z, %bi, 0] [1, %ts, 16] [1, 1, 1] : tensor<4x?x16xf32> to tensor<?x16xf32>
    %u = scf.forall (%i, %j) in (%ts, 4) shared_outs(%o = %dst) -> (tensor<?x16xf32>) {
      %q = affine.apply #m4(%j)
      %sa = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<1x8xf32>
      %sb = tensor.extract_slice %bt[%z, 0, %q] [1, 8, 4] [1, 1, 1] : tensor<4x8x16xf32> to tensor<8x4xf32>
      %d = tensor.extract_slice %o[%i, %q] [1, 4] [1, 1] : tensor<?x16xf32> to tensor<1x4xf32>
      %f = linalg.fill ins(%zf : f32) outs(%d : tensor<1x4xf32>) -> tensor<1x4xf32>
      %mm = linalg.matmul ins(%sa, %sb : tensor<1x8xf32>, tensor<8x4xf32>) outs(%f : tensor<1x4xf32>) -> tensor<1x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %mm into %o[%i, %q] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x16xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}

    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%z, %bi, 0] [1, %ts, 16] [1, 1, 1] : tensor<?x16xf32> into tensor<4x?x16xf32>
    }
  } {mapping = [#gpu.block<z>, #gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x?x16xf32>, memref<4x?x16xf32>) -> ()

  return
}
