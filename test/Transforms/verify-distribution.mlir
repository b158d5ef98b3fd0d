// RUN: memspace-opt %s -memspace-verify-distribution=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -o %t.plain
// RUN: memspace-opt %s -memspace-verify-distribution=chip=sm_90 -o %t.verified
// RUN: diff %t.plain %t.verified
// Nothing of it is said twice, or to somebody who did not ask.
// RUN: memspace-opt %s -memspace-verify-distribution=chip=gfx942 -o /dev/null 2>&1 | count 0

#map16 = affine_map<(d0) -> (d0 * 16)>

// The kernel is as it was, though the steps need a launch shape and change it.
// CHECK-LABEL: func.func @tiles
// CHECK-NOT: known_grid_size
// CHECK: tensor.empty
// CHECK: linalg.fill
// CHECK: scf.forall
// CHECK-NOT: alloc_tensor
func.func @tiles(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %one = arith.constant 1.0 : f32
  // At grid scope, but MemSpace computes it in each block.
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.forall (%b) in (4) shared_outs(%o = %f) -> (tensor<64xf32>) {
    %off = affine.apply #map16(%b)
    %d = tensor.extract_slice %o[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %xs = tensor.extract_slice %xt[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    // At workgroup scope, but MemSpace spreads it over the threads.
    %u = linalg.add ins(%xs, %d : tensor<16xf32>, tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%off] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// Two dimensions: places that neither id alone decides, but both do. The steps
// of the slices interleave.
// CHECK-LABEL: func.func @interleaved
func.func @interleaved(%x: memref<8x64xf32>, %out: memref<8x64xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8x64xf32> to tensor<8x64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8x64xf32> to tensor<8x64xf32>
  %r = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %ot) -> (tensor<8x64xf32>) {
    %d = tensor.extract_slice %o[%i, %j] [1, 8] [1, 8] : tensor<8x64xf32> to tensor<1x8xf32>
    %xs = tensor.extract_slice %xt[%i, %j] [1, 8] [1, 8] : tensor<8x64xf32> to tensor<1x8xf32>
    %u = linalg.exp ins(%xs : tensor<1x8xf32>) outs(%d : tensor<1x8xf32>) -> tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%i, %j] [1, 8] [1, 8] : tensor<1x8xf32> into tensor<8x64xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  return
}

// One iteration writes everything; where places come from data, the forall is
// believed.
// CHECK-LABEL: func.func @promised
func.func @promised(%at: memref<64xindex>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %att = bufferization.to_tensor %at restrict : memref<64xindex> to tensor<64xindex>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %z = arith.constant 0.0 : f32
  %one = scf.forall (%t) in (1) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %f = linalg.fill ins(%z : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[0] [64] [1] : tensor<64xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %r = scf.forall (%t) in (64) shared_outs(%o = %one) -> (tensor<64xf32>) {
    %i = tensor.extract %att[%t] : tensor<64xindex>
    %e = tensor.empty() : tensor<1xf32>
    %u = linalg.fill ins(%z : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// A copy that the kernel asks for is no finding, nor is one of few bytes that
// belong to one thread.
// CHECK-LABEL: func.func @asked_for
func.func @asked_for(%x: memref<64xf32>, %out: memref<64xf32>, %sum: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %st = bufferization.to_tensor %sum restrict writable : memref<64xf32> to tensor<64xf32>
  %c = linalg.copy ins(%xt : tensor<64xf32>) outs(%ot : tensor<64xf32>) -> tensor<64xf32>
  %u = linalg.exp ins(%xt : tensor<64xf32>) outs(%c : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%o = %st) -> (tensor<64xf32>) {
    %a = tensor.extract_slice %xt[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %d = tensor.extract_slice %o[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %b = linalg.exp ins(%a : tensor<1xf32>) outs(%a : tensor<1xf32>) -> tensor<1xf32>
    %s = linalg.add ins(%a, %b : tensor<1xf32>, tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %u in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  bufferization.materialize_in_destination %r in restrict writable %sum : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
