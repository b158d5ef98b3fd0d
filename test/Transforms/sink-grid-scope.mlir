// RUN: memspace-opt %s -split-input-file -memspace-normalize-kernels="subgroup-size=32" | FileCheck %s

// A fill of the whole output would overwrite finished tiles: each block fills
// its own slice. The slice and the insert use the same offset.
// CHECK-LABEL: func @fill_output
// CHECK:         %[[OT:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK-NOT:     linalg.fill
// CHECK:         scf.forall (%{{.*}}) in (4) shared_outs(%[[O:.*]] = %[[OT]])
// CHECK:           %[[OFF:.*]] = affine.apply
// CHECK:           %[[S:.*]] = tensor.extract_slice %[[O]][%[[OFF]], 0] [16, 32]
// CHECK:           %[[F:.*]] = linalg.fill {{.*}} outs(%[[S]] : tensor<16x32xf32>)
// CHECK:           scf.forall {{.*}} shared_outs(%{{.*}} = %[[F]])
// CHECK:           tensor.parallel_insert_slice %{{.*}} into %[[O]][%[[OFF]], 0]
#m16 = affine_map<(d0) -> (d0 * 16)>
func.func @fill_output(%x: memref<64x32xf32>, %out: memref<64x32xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64x32xf32> to tensor<64x32xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64x32xf32> to tensor<64x32xf32>
  %one = arith.constant 1.0 : f32
  %f = linalg.fill ins(%one : f32) outs(%ot : tensor<64x32xf32>) -> tensor<64x32xf32>
  %r = scf.forall (%b) in (4) shared_outs(%o = %f) -> (tensor<64x32xf32>) {
    %off = affine.apply #m16(%b)
    %d = tensor.extract_slice %o[%off, 0] [16, 32] [1, 1] : tensor<64x32xf32> to tensor<16x32xf32>
    %u = scf.forall (%i) in (16) shared_outs(%p = %d) -> (tensor<16x32xf32>) {
      %g = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%b, %i)
      %xs = tensor.extract_slice %xt[%g, 0] [1, 32] [1, 1] : tensor<64x32xf32> to tensor<1x32xf32>
      %ps = tensor.extract_slice %p[%i, 0] [1, 32] [1, 1] : tensor<16x32xf32> to tensor<1x32xf32>
      %s = linalg.add ins(%xs, %ps : tensor<1x32xf32>, tensor<1x32xf32>) outs(%ps : tensor<1x32xf32>) -> tensor<1x32xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %p[%i, 0] [1, 32] [1, 1] : tensor<1x32xf32> into tensor<16x32xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%off, 0] [16, 32] [1, 1] : tensor<16x32xf32> into tensor<64x32xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64x32xf32>, memref<64x32xf32>) -> ()
  return
}

// -----

// Case B1: each thread needs its own numbers of a concatenation; with constant
// positions they are elements of the inputs and nothing is staged.
// CHECK-LABEL: func @concat_rows
// CHECK-DAG:     %[[A:.*]] = bufferization.to_tensor %arg0
// CHECK-DAG:     %[[B:.*]] = bufferization.to_tensor %arg1
// CHECK-NOT:     tensor.concat
// CHECK-NOT:     tensor<64x2xi32>
// CHECK:         scf.forall
// CHECK:         scf.forall (%[[I:.*]]) in (16)
// CHECK:           %[[P:.*]] = affine.apply {{.*}}%[[I]])
// CHECK-DAG:       tensor.extract %[[A]][%[[P]], %{{.*}}]
// CHECK-DAG:       tensor.extract %[[B]][%[[P]], %{{.*}}]
func.func @concat_rows(%a: memref<64x1xi32>, %b: memref<64x1xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %at = bufferization.to_tensor %a restrict : memref<64x1xi32> to tensor<64x1xi32>
  %bt = bufferization.to_tensor %b restrict : memref<64x1xi32> to tensor<64x1xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ab = tensor.concat dim(1) %at, %bt : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x2xi32>
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%k) in (4) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %off = affine.apply affine_map<(d0) -> (d0 * 16)>(%k)
    %d = tensor.extract_slice %o[%off] [16] [1] : tensor<64xi32> to tensor<16xi32>
    %u = scf.forall (%i) in (16) shared_outs(%q = %d) -> (tensor<16xi32>) {
      %p = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%k, %i)
      %row = tensor.extract_slice %ab[%p, 0] [1, 2] [1, 1] : tensor<64x2xi32> to tensor<2xi32>
      %va = tensor.extract %row[%c0] : tensor<2xi32>
      %vb = tensor.extract %row[%c1] : tensor<2xi32>
      %v = arith.muli %va, %vb : i32
      %qs = tensor.extract_slice %q[%i] [1] [1] : tensor<16xi32> to tensor<1xi32>
      %s = tensor.insert %v into %qs[%c0] : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %q[%i] [1] [1] : tensor<1xi32> into tensor<16xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%off] [16] [1] : tensor<16xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}

// -----

// An elementwise chain is computed for the slice that is read, a table that is
// used as a whole once in each block, a scalar with what it is computed from.
// CHECK-LABEL: func @prologue
// CHECK-NOT:     linalg.exp
// CHECK:         scf.forall (%{{.*}}) in (4)
// CHECK:           linalg.exp {{.*}} outs(%{{.*}} : tensor<8xf32>)
// CHECK:           linalg.reduce
// CHECK:           tensor.extract
// CHECK:           linalg.exp {{.*}} outs(%{{.*}} : tensor<16xf32>)
// CHECK:           linalg.add {{.*}} outs(%{{.*}} : tensor<16xf32>)
// CHECK:           scf.forall
func.func @prologue(%x: memref<64xf32>, %tab: memref<8xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %tt = bufferization.to_tensor %tab restrict : memref<8xf32> to tensor<8xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %ye = tensor.empty() : tensor<64xf32>
  %y = linalg.exp ins(%xt : tensor<64xf32>) outs(%ye : tensor<64xf32>) -> tensor<64xf32>
  %y2 = linalg.add ins(%y, %xt : tensor<64xf32>, tensor<64xf32>) outs(%ye : tensor<64xf32>) -> tensor<64xf32>
  %te = tensor.empty() : tensor<8xf32>
  %t = linalg.exp ins(%tt : tensor<8xf32>) outs(%te : tensor<8xf32>) -> tensor<8xf32>
  %se = tensor.empty() : tensor<f32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce ins(%t : tensor<8xf32>) outs(%s0 : tensor<f32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %q = arith.addf %a, %b : f32
      linalg.yield %q : f32
    }
  %sc = tensor.extract %sum[] : tensor<f32>
  %oe = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%b) in (4) shared_outs(%o = %oe) -> (tensor<64xf32>) {
    %off = affine.apply affine_map<(d0) -> (d0 * 16)>(%b)
    %d = tensor.extract_slice %o[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %ys = tensor.extract_slice %y2[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %u = scf.forall (%i) in (16) shared_outs(%p = %d) -> (tensor<16xf32>) {
      %v = tensor.extract %ys[%i] : tensor<16xf32>
      %vs = arith.addf %v, %sc : f32
      %ps = tensor.extract_slice %p[%i] [1] [1] : tensor<16xf32> to tensor<1xf32>
      %s = tensor.insert %vs into %ps[%c0] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %p[%i] [1] [1] : tensor<1xf32> into tensor<16xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%off] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// An elementwise op after the block forall goes into it; the intermediate
// result is a tile and no output any more.
// CHECK-LABEL: func @epilogue
// CHECK:         %[[R:.*]] = scf.forall (%{{.*}}) in (4) shared_outs(%[[O:.*]] = %{{.*}}) -> (tensor<64xf32>) {
// CHECK:           %[[C:.*]] = linalg.copy
// CHECK:           %[[D:.*]] = tensor.extract_slice %[[O]]
// CHECK:           linalg.add ins(%[[C]], %{{.*}}) outs(%[[D]] : tensor<16xf32>)
// CHECK:         } {mapping = [#gpu.block<x>]}
// CHECK:         bufferization.materialize_in_destination %[[R]]
func.func @epilogue(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %oe = tensor.empty() : tensor<64xf32>
  %ze = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%b) in (4) shared_outs(%o = %oe) -> (tensor<64xf32>) {
    %off = affine.apply affine_map<(d0) -> (d0 * 16)>(%b)
    %d = tensor.extract_slice %o[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %xs = tensor.extract_slice %xt[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %u = linalg.copy ins(%xs : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%off] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %z = linalg.add ins(%r, %xt : tensor<64xf32>, tensor<64xf32>) outs(%ze : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %z in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
