// How many neighbours a thread takes at once of uniform work: 16 bytes, where there are
// enough for all threads, and everything that is computed element by element is cut
// alike.
// RUN: memspace-opt %s -split-input-file -memspace-distribute-to-threads=chip=gfx942 | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: memspace-opt %s -split-input-file -memspace-distribute-to-threads=chip=sm_90 | FileCheck %s --check-prefixes=CHECK,NARROW
// RUN: memspace-opt %s -split-input-file -memspace-record-alignment=chip=sm_90 -memspace-distribute-to-threads=chip=sm_90 | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: memspace-opt %s -split-input-file -memspace-record-alignment="chip=sm_90 alignment=8" -memspace-distribute-to-threads=chip=sm_90 | FileCheck %s --check-prefixes=CHECK,NARROW

// 1024 elements of 2 bytes for 64 threads; NVIDIA's GPUs need an aligned address.

// CHECK-LABEL: func @halves
// WIDE:   scf.forall {{.*}} in (128)
// WIDE:     linalg.exp {{.*}} tensor<8xf16>
// NARROW: scf.forall {{.*}} in (1024)
// NARROW:   linalg.exp {{.*}} tensor<1xf16>
func.func @halves(%x: memref<1024xf16>, %out: memref<1024xf16>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<1024xf16> to tensor<1024xf16>
  %ot = bufferization.to_tensor %out restrict writable : memref<1024xf16> to tensor<1024xf16>
  %r = linalg.exp ins(%xt : tensor<1024xf16>) outs(%ot : tensor<1024xf16>) -> tensor<1024xf16>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<1024xf16>, memref<1024xf16>) -> ()
  return
}

// -----

// Beside a tensor of wider elements four are 16 bytes.

// CHECK-LABEL: func @mixed
// WIDE: linalg.generic {{.*}} ins({{.*}} : tensor<4xf16>) outs({{.*}} : tensor<4xf32>)
func.func @mixed(%x: memref<1024xf16>, %out: memref<1024xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<1024xf16> to tensor<1024xf16>
  %ot = bufferization.to_tensor %out restrict writable : memref<1024xf32> to tensor<1024xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%xt : tensor<1024xf16>) outs(%ot : tensor<1024xf32>) {
  ^bb0(%a: f16, %b: f32):
    %c = arith.extf %a : f16 to f32
    linalg.yield %c : f32
  } -> tensor<1024xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<1024xf32>, memref<1024xf32>) -> ()
  return
}

// -----

// Rows of 6: two at once divide them.

// CHECK-LABEL: func @rows
// WIDE: scf.forall {{.*}} in (192)
// WIDE:   affine.delinearize_index {{.*}} into (64, 3)
// WIDE:   linalg.exp {{.*}} tensor<1x2xf32>
func.func @rows(%x: memref<64x6xf32>, %out: memref<64x6xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64x6xf32> to tensor<64x6xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64x6xf32> to tensor<64x6xf32>
  %r = linalg.exp ins(%xt : tensor<64x6xf32>) outs(%ot : tensor<64x6xf32>) -> tensor<64x6xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64x6xf32>, memref<64x6xf32>) -> ()
  return
}

// -----

// As many elements as threads: one for each.

// CHECK-LABEL: func @few
// CHECK: linalg.exp {{.*}} tensor<1xf32>
func.func @few(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %r = linalg.exp ins(%xt : tensor<64xf32>) outs(%ot : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// What each thread has one of is broadcast one by one: it stays private.

// CHECK-LABEL: func @broadcast
// CHECK: linalg.broadcast {{.*}} outs({{.*}} : tensor<1x1xf32>)
func.func @broadcast(%x: memref<64xf32>, %out: memref<4x64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %s = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64xf32>) {
    %v = tensor.extract_slice %xt[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %f = linalg.exp ins(%v : tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %ot = bufferization.to_tensor %out restrict writable : memref<4x64xf32> to tensor<4x64xf32>
  %b = linalg.broadcast ins(%s : tensor<64xf32>) outs(%ot : tensor<4x64xf32>) dimensions = [0]
  bufferization.materialize_in_destination %b in restrict writable %out : (tensor<4x64xf32>, memref<4x64xf32>) -> ()
  return
}

// -----

// A table that is computed from indices has nothing to load; its payload is often long.

// CHECK-LABEL: func @table
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<1xindex>)
func.func @table(%out: memref<1024xindex>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<1024xindex> to tensor<1024xindex>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%ot : tensor<1024xindex>) {
  ^bb0(%b: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<1024xindex>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<1024xindex>, memref<1024xindex>) -> ()
  return
}
