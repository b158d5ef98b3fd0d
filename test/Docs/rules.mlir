// The examples of docs/rules.md.
// RUN: memspace-opt %s -split-input-file -memspace-normalize-kernels=chip=gfx942 \
// RUN:   -memspace-infer-memory-spaces=chip=gfx942 | FileCheck %s

// CHECK-LABEL: @thread_scope
// CHECK: alloc_tensor() {{.*}}"thread-scope: allocated inside a thread's iteration: no other thread can name it"
func.func @thread_scope(%X: memref<64x4xf32>, %Y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %X restrict : memref<64x4xf32> to tensor<64x4xf32>
  %e = tensor.empty() : tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %y = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<64x4xf32> to tensor<4xf32>
    %empty = tensor.empty() : tensor<4xf32>
    %doubled = linalg.add ins(%row, %row : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
    %to = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<f32>
    %init = linalg.fill ins(%zero : f32) outs(%to : tensor<f32>) -> tensor<f32>
    %sum = linalg.reduce { arith.addf } ins(%doubled : tensor<4xf32>) outs(%init : tensor<f32>) dimensions = [0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %o[%i] [1] [1] : tensor<f32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %y in restrict writable %Y : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Written by uniform code, larger than the replication limit: the fill is
// distributed, and then its elements cross threads.

// CHECK-LABEL: @large_table
// CHECK: alloc_tensor() {{.*}}"must-share: an element written by one thread is read by another"
func.func @large_table(%X: memref<64xindex>, %Y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %X restrict : memref<64xindex> to tensor<64xindex>
  %one = arith.constant 1.0 : f32
  %t = tensor.empty() : tensor<2048xf32>
  %table = linalg.fill ins(%one : f32) outs(%t : tensor<2048xf32>) -> tensor<2048xf32>
  %e = tensor.empty() : tensor<64xf32>
  %y = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64xf32>) {
    %at = tensor.extract %x[%i] : tensor<64xindex>
    %v = tensor.extract_slice %table[%at] [1] [1] : tensor<2048xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %y in restrict writable %Y : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Lanes of one subgroup exchange values: one instance for each subgroup.

// CHECK-LABEL: @subgroup
// CHECK: alloc_tensor() {{.*}}memspace.per_subgroup = 64 : i64, {{.*}}"must-share: an element written by one thread is read by another; once-per-subgroup: allocated at subgroup scope: 2 instances in the workgroup"
func.func @subgroup(%X: memref<128xf32>, %Y: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %x = bufferization.to_tensor %X restrict : memref<128xf32> to tensor<128xf32>
  %e = tensor.empty() : tensor<128xf32>
  %y = scf.forall (%w) in (2) shared_outs(%o = %e) -> (tensor<128xf32>) {
    %first = affine.apply affine_map<(w) -> (w * 64)>(%w)
    %mine = tensor.extract_slice %x[%first] [64] [1] : tensor<128xf32> to tensor<64xf32>
    %t = tensor.empty() : tensor<64xf32>
    %stage = scf.forall (%l) in (64) shared_outs(%s = %t) -> (tensor<64xf32>) {
      %v = tensor.extract_slice %mine[%l] [1] [1] : tensor<64xf32> to tensor<1xf32>
      %to = tensor.extract_slice %s[%l] [1] [1] : tensor<64xf32> to tensor<1xf32>
      %c = linalg.copy ins(%v : tensor<1xf32>) outs(%to : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %c into %s[%l] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    %part = tensor.extract_slice %o[%first] [64] [1] : tensor<128xf32> to tensor<64xf32>
    %mirrored = scf.forall (%l) in (64) shared_outs(%s = %part) -> (tensor<64xf32>) {
      %from = affine.apply affine_map<(l) -> (63 - l)>(%l)
      %v = tensor.extract_slice %stage[%from] [1] [1] : tensor<64xf32> to tensor<1xf32>
      %to = tensor.extract_slice %s[%l] [1] [1] : tensor<64xf32> to tensor<1xf32>
      %c = linalg.copy ins(%v : tensor<1xf32>) outs(%to : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %c into %s[%l] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %mirrored into %o[%first] [64] [1] : tensor<64xf32> into tensor<128xf32>
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  bufferization.materialize_in_destination %y in restrict writable %Y : (tensor<128xf32>, memref<128xf32>) -> ()
  return
}
