// RUN: memspace-opt %s -split-input-file -memspace-distribute-to-threads=chip=gfx942 | FileCheck %s

// A fill and a copy-out of a thread-aligned accumulator adopt its owner map, so
// that it can stay private (docs/rules.md).

#m4 = affine_map<(d0) -> (d0 * 4)>
// CHECK-LABEL: func @owner_map
func.func @owner_map(%x: memref<256xf32>, %out: memref<256xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<256xf32> to tensor<256xf32>
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<256xf32>
  // CHECK: scf.forall (%{{.*}}) in (64) shared_outs
  // CHECK:   tensor.extract_slice %{{.*}} [4] [1]
  // CHECK:   linalg.fill {{.*}} tensor<4xf32>
  // CHECK: } {mapping = [#gpu.thread<x>]}
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  // CHECK: scf.for
  %a = scf.for %k = %c0 to %c7 step %c1 iter_args(%acc = %f) -> (tensor<256xf32>) {
    %n = scf.forall (%i) in (64) shared_outs(%o = %acc) -> (tensor<256xf32>) {
      %p = affine.apply #m4(%i)
      %s = tensor.extract_slice %xt[%p] [4] [1] : tensor<256xf32> to tensor<4xf32>
      %d = tensor.extract_slice %o[%p] [4] [1] : tensor<256xf32> to tensor<4xf32>
      %v = linalg.add ins(%s, %d : tensor<4xf32>, tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %o[%p] [4] [1] : tensor<4xf32> into tensor<256xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %n : tensor<256xf32>
  }
  // CHECK: %[[D:.*]] = bufferization.to_tensor %{{.*}} restrict writable
  // CHECK: %[[R:.*]] = scf.forall (%{{.*}}) in (64) shared_outs(%{{.*}} = %[[D]])
  // CHECK:   linalg.copy {{.*}} tensor<4xf32>
  // CHECK: } {mapping = [#gpu.thread<x>]}
  // CHECK: bufferization.materialize_in_destination %[[R]]
  bufferization.materialize_in_destination %a in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// -----

// Uniform writes of the output are spread over the threads: 128 elements, two for
// each of 64 threads.

// CHECK-LABEL: func @spread
func.func @spread(%x: memref<8x16xf32>, %out: memref<8x16xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8x16xf32> to tensor<8x16xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8x16xf32> to tensor<8x16xf32>
  // CHECK: scf.forall (%[[I:.*]]) in (64) shared_outs
  // CHECK:   %[[P:.*]]:2 = affine.delinearize_index %[[I]] into (8, 8)
  // CHECK:   %[[COL:.*]] = affine.apply {{.*}}(%[[P]]#1)
  // CHECK:   linalg.exp {{.*}} tensor<1x2xf32>
  // CHECK: } {mapping = [#gpu.thread<linear_dim_0>]}
  %r = linalg.exp ins(%xt : tensor<8x16xf32>) outs(%ot : tensor<8x16xf32>) -> tensor<8x16xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x16xf32>, memref<8x16xf32>) -> ()
  return
}

// -----

// A small uniform tensor stays with every thread: nothing is distributed.

// CHECK-LABEL: func @replicated
// CHECK: linalg.exp ins(%{{.*}} : tensor<8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK: scf.forall
func.func @replicated(%x: memref<8xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.exp ins(%xt : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %j = arith.remui %i, %c8 : index
    %v = tensor.extract %t[%j] : tensor<8xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// S14: nobody distributed the running sum; it is done once, by one thread, the
// loop as a whole.

// CHECK-LABEL: func @guarded_loop
// CHECK: scf.forall (%{{.*}}) in (1) shared_outs(%[[O:.*]] =
// CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[O]])
// CHECK:     tensor.insert
// CHECK: } {mapping = [#gpu.thread<linear_dim_0>]}
func.func @guarded_loop(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %k = %c1 to %c64 step %c1 iter_args(%a = %ot) -> (tensor<64xf32>) {
    %p = arith.subi %k, %c1 : index
    %u = tensor.extract %a[%p] : tensor<64xf32>
    %v = tensor.extract %a[%k] : tensor<64xf32>
    %w = arith.addf %u, %v : f32
    %b = tensor.insert %w into %a[%k] : tensor<64xf32>
    scf.yield %b : tensor<64xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Side effects on memory are not repeated by every thread, either. Code that
// asks for thread ids says itself who does what.

// CHECK-LABEL: func @side_effect
// CHECK: scf.forall (%{{.*}}) in (1) {
// CHECK-NEXT: memref.store
// CHECK: } {mapping = [#gpu.thread<linear_dim_0>]}
func.func @side_effect(%out: memref<1xf32>, %v: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  memref.store %v, %out[%c0] : memref<1xf32>
  return
}

// CHECK-LABEL: func @spmd
// CHECK-NOT: scf.forall
func.func @spmd(%out: memref<64xf32>, %v: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  memref.store %v, %out[%t] : memref<64xf32>
  return
}

// CHECK-LABEL: func @spmd_global_id
// CHECK-NOT: scf.forall
func.func @spmd_global_id(%out: memref<64xf32>, %v: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.global_id x
  memref.store %v, %out[%t] : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%out : memref<64xf32>)
  return
}
