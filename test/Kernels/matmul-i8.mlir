// RUN: %python %S/run.py %s
// 96x60 = 96x40 * 40x60, i8 in, i32 out; each of 2x3 blocks makes 48x20 with
// tiles of K = 8. The tiles are shared; the accumulator is 6x2 in each thread,
// though the fill and the final insert of the whole tile have no mapping.
// EXPECT workgroup_bytes=544 private_bytes<=48 barriers<=2 executed<=10
// INPUT a0 = np.arange(96 * 40).reshape(96, 40) % 19 - 9
// INPUT a1 = np.arange(40 * 60).reshape(40, 60) % 23 - 11
// RESULT a2 = a0.astype(np.int32) @ a1.astype(np.int32)
#m48 = affine_map<(d0) -> (d0 * 48)>
#m20 = affine_map<(d0) -> (d0 * 20)>
#m6 = affine_map<(d0) -> (d0 * 6)>
#m2 = affine_map<(d0) -> (d0 * 2)>
#arow = affine_map<(d0, d1) -> (d0 * 48 + d1 * 6)>
#bcol = affine_map<(d0, d1) -> (d0 * 20 + d1 * 2)>
func.func @matmul_i8(%A: memref<96x40xi8>, %B: memref<40x60xi8>, %out: memref<96x60xi32>)
    attributes {gpu.known_block_size = array<i32: 10, 8, 1>, gpu.known_grid_size = array<i32: 3, 2, 1>} {
  %At = bufferization.to_tensor %A restrict : memref<96x40xi8> to tensor<96x40xi8>
  %Bt = bufferization.to_tensor %B restrict : memref<40x60xi8> to tensor<40x60xi8>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0 : i32
  %oe = tensor.empty() : tensor<96x60xi32>
  %r = scf.forall (%by, %bx) in (2, 3) shared_outs(%ob = %oe) -> (tensor<96x60xi32>) {
    %row = affine.apply #m48(%by)
    %col = affine.apply #m20(%bx)
    %ce = tensor.empty() : tensor<48x20xi32>
    %c0t = linalg.fill ins(%zero : i32) outs(%ce : tensor<48x20xi32>) -> tensor<48x20xi32>
    %acc = scf.for %k = %c0 to %c40 step %c8 iter_args(%c = %c0t) -> (tensor<48x20xi32>) {
      %ae = tensor.empty() : tensor<48x8xi8>
      %a = scf.forall (%ty, %tx) in (8, 8) shared_outs(%o = %ae) -> (tensor<48x8xi8>) {
        %gr = affine.apply #arow(%by, %ty)
        %gc = arith.addi %k, %tx : index
        %lr = affine.apply #m6(%ty)
        %s = tensor.extract_slice %At[%gr, %gc] [6, 1] [1, 1] : tensor<96x40xi8> to tensor<6x1xi8>
        %d = tensor.extract_slice %o[%lr, %tx] [6, 1] [1, 1] : tensor<48x8xi8> to tensor<6x1xi8>
        %cp = linalg.copy ins(%s : tensor<6x1xi8>) outs(%d : tensor<6x1xi8>) -> tensor<6x1xi8>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %cp into %o[%lr, %tx] [6, 1] [1, 1] : tensor<6x1xi8> into tensor<48x8xi8>
        }
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
      %be = tensor.empty() : tensor<8x20xi8>
      %b = scf.forall (%ty, %tx) in (8, 10) shared_outs(%o = %be) -> (tensor<8x20xi8>) {
        %gr = arith.addi %k, %ty : index
        %gc = affine.apply #bcol(%bx, %tx)
        %lc = affine.apply #m2(%tx)
        %s = tensor.extract_slice %Bt[%gr, %gc] [1, 2] [1, 1] : tensor<40x60xi8> to tensor<1x2xi8>
        %d = tensor.extract_slice %o[%ty, %lc] [1, 2] [1, 1] : tensor<8x20xi8> to tensor<1x2xi8>
        %cp = linalg.copy ins(%s : tensor<1x2xi8>) outs(%d : tensor<1x2xi8>) -> tensor<1x2xi8>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %cp into %o[%ty, %lc] [1, 2] [1, 1] : tensor<1x2xi8> into tensor<8x20xi8>
        }
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
      %c1 = scf.forall (%ty, %tx) in (8, 10) shared_outs(%o = %c) -> (tensor<48x20xi32>) {
        %lr = affine.apply #m6(%ty)
        %lc = affine.apply #m2(%tx)
        %as = tensor.extract_slice %a[%lr, 0] [6, 8] [1, 1] : tensor<48x8xi8> to tensor<6x8xi8>
        %bs = tensor.extract_slice %b[0, %lc] [8, 2] [1, 1] : tensor<8x20xi8> to tensor<8x2xi8>
        %cs = tensor.extract_slice %o[%lr, %lc] [6, 2] [1, 1] : tensor<48x20xi32> to tensor<6x2xi32>
        %mm = linalg.matmul ins(%as, %bs : tensor<6x8xi8>, tensor<8x2xi8>) outs(%cs : tensor<6x2xi32>) -> tensor<6x2xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %mm into %o[%lr, %lc] [6, 2] [1, 1] : tensor<6x2xi32> into tensor<48x20xi32>
        }
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
      scf.yield %c1 : tensor<48x20xi32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %acc into %ob[%row, %col] [48, 20] [1, 1] : tensor<48x20xi32> into tensor<96x60xi32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<96x60xi32>, memref<96x60xi32>) -> ()
  return
}
