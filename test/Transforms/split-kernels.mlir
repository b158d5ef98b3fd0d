// RUN: memspace-opt %s -split-input-file -memspace-split-kernels=chip=sm_90 | FileCheck %s

// What another workgroup wrote: two kernels, with memory of the host between them.
// CHECK-LABEL: func.func @reversed_part0(
// CHECK-SAME: %[[IN:.*]]: memref<256xf32>, %[[WS:.*]]: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>}
// CHECK: %[[A:.*]] = scf.forall
// CHECK: linalg.exp
// CHECK: materialize_in_destination %[[A]] in restrict writable %[[WS]]
// CHECK-LABEL: func.func @reversed_part1(
// CHECK-SAME: %[[OUT:.*]]: memref<256xf32>, %[[WS:.*]]: memref<256xf32>)
// CHECK-DAG: bufferization.to_tensor %[[OUT]] restrict writable
// CHECK-DAG: bufferization.to_tensor %[[WS]] restrict :
// CHECK: linalg.add
// CHECK-LABEL: func.func @reversed(
// CHECK-SAME: %[[IN:.*]]: memref<256xf32>, %[[OUT:.*]]: memref<256xf32>) {
// CHECK-NEXT: %[[WS:.*]] = memref.alloc() : memref<256xf32>
// CHECK-NEXT: call @reversed_part0(%[[IN]], %[[WS]])
// CHECK-NEXT: call @reversed_part1(%[[OUT]], %[[WS]])
// CHECK-NEXT: memref.dealloc %[[WS]]
// CHECK-NEXT: return
#tile = affine_map<(d0) -> (d0 * 64)>
#other = affine_map<(d0) -> (d0 * -64 + 192)>
func.func @reversed(%in: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %t = tensor.empty() : tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #other(%b)
    %s = tensor.extract_slice %a[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.add ins(%s, %s : tensor<64xf32>, tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// -----

// Each workgroup reads its own rows, then all rows: one cut, in front of the last. What is
// stored is read where it is stored; the first result stays in the first kernel. The grid is as
// given.
// CHECK-LABEL: func.func @rows_part0(
// CHECK-SAME: %{{.*}}: memref<32x64xf32>, %[[MID:.*]]: memref<32x64xf32>)
// CHECK-SAME: gpu.known_grid_size = array<i32: 4, 1, 1>
// CHECK: tensor.empty
// CHECK: %[[A:.*]] = scf.forall
// CHECK: %[[B:.*]] = scf.forall
// CHECK: tensor.extract_slice %[[A]]
// CHECK: materialize_in_destination %[[B]] in restrict writable %[[MID]]
// CHECK-NOT: materialize_in_destination
// CHECK-LABEL: func.func @rows_part1(
// CHECK-SAME: %[[MID:.*]]: memref<32x64xf32>, %[[OUT:.*]]: memref<32xf32>)
// CHECK-SAME: gpu.known_grid_size = array<i32: 4, 1, 1>
// CHECK: %[[B:.*]] = bufferization.to_tensor %[[MID]] restrict :
// CHECK: tensor.extract_slice %[[B]]
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: memref.alloc
// CHECK: call @rows_part0(
// CHECK-NEXT: call @rows_part1(
// CHECK-NEXT: return
#rows = affine_map<(d0) -> (d0 * 8)>
func.func @rows(%in: memref<32x64xf32>, %mid: memref<32x64xf32>, %out: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<32x64xf32> to tensor<32x64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<32xf32> to tensor<32xf32>
  %t = tensor.empty() : tensor<32x64xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<32x64xf32> {
    %off = affine.apply #rows(%b)
    %s = tensor.extract_slice %x[%off, 0] [8, 64] [1, 1] : tensor<32x64xf32> to tensor<8x64xf32>
    %d = tensor.extract_slice %w[%off, 0] [8, 64] [1, 1] : tensor<32x64xf32> to tensor<8x64xf32>
    %e = linalg.exp ins(%s : tensor<8x64xf32>) outs(%d : tensor<8x64xf32>) -> tensor<8x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off, 0] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<32x64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %c = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<32x64xf32> {
    %off = affine.apply #rows(%b)
    %s = tensor.extract_slice %a[%off, 0] [8, 64] [1, 1] : tensor<32x64xf32> to tensor<8x64xf32>
    %p = tensor.extract_slice %s[4, 0] [4, 64] [1, 1] : tensor<8x64xf32> to tensor<4x64xf32>
    %q = tensor.extract_slice %s[0, 0] [4, 64] [1, 1] : tensor<8x64xf32> to tensor<4x64xf32>
    %d = tensor.extract_slice %w[%off, 0] [8, 64] [1, 1] : tensor<32x64xf32> to tensor<8x64xf32>
    %u = tensor.extract_slice %d[0, 0] [4, 64] [1, 1] : tensor<8x64xf32> to tensor<4x64xf32>
    %v = tensor.extract_slice %d[4, 0] [4, 64] [1, 1] : tensor<8x64xf32> to tensor<4x64xf32>
    %e = linalg.add ins(%p, %q : tensor<4x64xf32>, tensor<4x64xf32>) outs(%u : tensor<4x64xf32>) -> tensor<4x64xf32>
    %f = linalg.sub ins(%p, %q : tensor<4x64xf32>, tensor<4x64xf32>) outs(%v : tensor<4x64xf32>) -> tensor<4x64xf32>
    %g = tensor.insert_slice %e into %d[0, 0] [4, 64] [1, 1] : tensor<4x64xf32> into tensor<8x64xf32>
    %h = tensor.insert_slice %f into %g[4, 0] [4, 64] [1, 1] : tensor<4x64xf32> into tensor<8x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %h into %w[%off, 0] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<32x64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<32xf32> {
    %off = affine.apply #rows(%b)
    %s = tensor.extract_slice %c[0, %off] [32, 8] [1, 1] : tensor<32x64xf32> to tensor<32x8xf32>
    %d = tensor.extract_slice %w[%off] [8] [1] : tensor<32xf32> to tensor<8xf32>
    %zero = arith.constant 0.0 : f32
    %i = linalg.fill ins(%zero : f32) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    %e = linalg.reduce {arith.addf} ins(%s : tensor<32x8xf32>) outs(%i : tensor<8xf32>) dimensions = [0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [8] [1] : tensor<8xf32> into tensor<32xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %c in restrict writable %mid : (tensor<32x64xf32>, memref<32x64xf32>) -> ()
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32xf32>, memref<32xf32>) -> ()
  return
}

// -----

// Updates of the output by others: it stays in the output. What the host passes on has its
// attributes; a private function goes into who calls it.
// CHECK-LABEL: func.func @updates_part0(
// CHECK-SAME: %{{.*}}: memref<256xf32> {memspace.alignment = 16 : i64}, %[[OUT:.*]]: memref<256xf32>)
// CHECK: %[[INIT:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK: %[[A:.*]] = scf.forall {{.*}} shared_outs(%{{.*}} = %[[INIT]])
// CHECK: materialize_in_destination %[[A]] in restrict writable %[[OUT]]
// CHECK-LABEL: func.func @updates_part1(
// CHECK: %[[A:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK: scf.forall {{.*}} in (3) shared_outs(%{{.*}} = %[[A]])
// CHECK-NOT: @updates(
// CHECK-LABEL: func.func @host(
// CHECK-NEXT: call @updates_part0(
// CHECK-NEXT: call @updates_part1(
// CHECK-NEXT: return
#tile = affine_map<(d0) -> (d0 * 64)>
#other = affine_map<(d0) -> (d0 * -64 + 192)>
func.func private @updates(%in: memref<256xf32> {memspace.alignment = 16 : i64}, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %t = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (3) shared_outs(%w = %a) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %to = affine.apply #other(%b)
    %s = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%to] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.add ins(%s, %s : tensor<64xf32>, tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%to] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}
func.func @host(%in: memref<256xf32>, %out: memref<256xf32>) {
  func.call @updates(%in, %out) : (memref<256xf32>, memref<256xf32>) -> ()
  return
}

// -----

// Each reads what it wrote itself: no cut, an elementwise op at grid scope goes into a forall.
// CHECK-LABEL: func.func @own(
// CHECK-SAME: gpu.known_block_size
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK-NOT: func.func
#tile = affine_map<(d0) -> (d0 * 64)>
func.func @own(%in: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %t = tensor.empty() : tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %n = linalg.negf ins(%a : tensor<256xf32>) outs(%t : tensor<256xf32>) -> tensor<256xf32>
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %s = tensor.extract_slice %n[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.add ins(%s, %s : tensor<64xf32>, tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// -----

// An element that every workgroup reads for itself, outside of the foralls, is an access, too.
// A function that has the name of a part keeps it. What nobody reads makes no part.
// CHECK-LABEL: func.func @scalar_part0_0(
// CHECK: scf.forall (
// CHECK-NOT: scf.forall (
// CHECK-LABEL: func.func @scalar_part1(
// CHECK: tensor.extract
// CHECK: scf.forall (
// CHECK-NOT: func.func @scalar_part2
// CHECK-LABEL: func.func private @scalar_part0()
#tile = affine_map<(d0) -> (d0 * 64)>
#other = affine_map<(d0) -> (d0 * -64 + 192)>
func.func @scalar(%in: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c3 = arith.constant 3 : index
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %t = tensor.empty() : tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %third = tensor.extract %a[%c3] : tensor<256xf32>
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.fill ins(%third : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %unused = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #other(%b)
    %s = tensor.extract_slice %r[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}
func.func private @scalar_part0()

// -----

// Extents that only the host knows, of what goes from part to part and of what stays in one;
// what is stored as another type is where that is.
// CHECK-LABEL: func.func @extents_part0(
// CHECK-SAME: %{{.*}}: memref<?xf32>, %[[MID:.*]]: memref<256xf32>, %[[WS:.*]]: memref<?xf32>)
// CHECK-DAG: materialize_in_destination %{{.*}} in restrict writable %[[WS]]
// CHECK-DAG: materialize_in_destination %{{.*}} in restrict writable %[[MID]]
// CHECK-LABEL: func.func @extents_part1(
// CHECK-SAME: memref<?xf32>, %[[MID:.*]]: memref<256xf32>, %{{.*}}: memref<?xf32>)
// CHECK: %[[M:.*]] = bufferization.to_tensor %[[MID]] restrict :
// CHECK: tensor.cast %[[M]] : tensor<256xf32> to tensor<?xf32>
// CHECK-LABEL: func.func @extents(
// CHECK: %[[N:.*]] = memref.dim
// CHECK: memref.alloc(%[[N]]) : memref<?xf32>
// CHECK-NOT: memref.alloc
// CHECK: call @extents_part0
// CHECK-NEXT: call @extents_part1
#count = affine_map<()[s0] -> (s0 ceildiv 64)>
#size = affine_map<(d0)[s0] -> (64, s0 - d0)>
#mirror = affine_map<(d0, d1)[s0] -> (s0 - d0 - d1)>
func.func @extents(%in: memref<?xf32>, %mid: memref<256xf32>, %out: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %x = bufferization.to_tensor %in restrict : memref<?xf32> to tensor<?xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<?xf32> to tensor<?xf32>
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %blocks = affine.apply #count()[%n]
  %t = tensor.empty(%n) : tensor<?xf32>
  %u = tensor.empty(%n) : tensor<?xf32>
  %a = scf.forall (%b) in (%blocks) shared_outs(%w = %t) -> tensor<?xf32> {
    %off = affine.apply affine_map<(d0) -> (d0 * 64)>(%b)
    %k = affine.min #size(%off)[%n]
    %s = tensor.extract_slice %x[%off] [%k] [1] : tensor<?xf32> to tensor<?xf32>
    %d = tensor.extract_slice %w[%off] [%k] [1] : tensor<?xf32> to tensor<?xf32>
    %e = linalg.exp ins(%s : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [%k] [1] : tensor<?xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %c = scf.forall (%b) in (%blocks) shared_outs(%w = %u) -> tensor<?xf32> {
    %off = affine.apply affine_map<(d0) -> (d0 * 64)>(%b)
    %k = affine.min #size(%off)[%n]
    %s = tensor.extract_slice %a[%off] [%k] [1] : tensor<?xf32> to tensor<?xf32>
    %d = tensor.extract_slice %w[%off] [%k] [1] : tensor<?xf32> to tensor<?xf32>
    %e = linalg.exp ins(%s : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [%k] [1] : tensor<?xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (%blocks) shared_outs(%w = %o) -> tensor<?xf32> {
    %off = affine.apply affine_map<(d0) -> (d0 * 64)>(%b)
    %k = affine.min #size(%off)[%n]
    %from = affine.apply #mirror(%off, %k)[%n]
    %s = tensor.extract_slice %c[%from] [%k] [1] : tensor<?xf32> to tensor<?xf32>
    %d = tensor.extract_slice %w[%off] [%k] [1] : tensor<?xf32> to tensor<?xf32>
    %e = linalg.exp ins(%s : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [%k] [1] : tensor<?xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %whole = tensor.cast %c : tensor<?xf32> to tensor<256xf32>
  bufferization.materialize_in_destination %whole in restrict writable %mid : (tensor<256xf32>, memref<256xf32>) -> ()
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
