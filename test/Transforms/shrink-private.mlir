// RUN: memspace-opt %s -memspace-shrink-private -split-input-file | FileCheck %s

#map4 = affine_map<(d0) -> (d0 * 4)>
#mapk = affine_map<(d0, d1) -> (d0 + d1)>

// An accumulator tile: fill, accumulate in a loop, copy out. Equal offsets from
// different ops.

// CHECK-LABEL: func @accumulator
// CHECK: %[[A:.*]] = memref.alloca() {alignment = 16 : i64, memspace.reason = "aligned"} : memref<4x4xf32, #gpu.address_space<private>>
// CHECK: %[[S0:.*]] = memref.subview %[[A]][0, 0] [4, 4] [1, 1]
// CHECK: linalg.fill {{.*}} outs(%[[S0]]
// CHECK: scf.for
// CHECK: memref.subview %[[A]][0, 0] [4, 4] [1, 1]
// CHECK: linalg.matmul
// CHECK: %[[ROW:.*]] = memref.subview %[[A]][%{{.*}}, 0] [1, 4] [1, 1] : memref<4x4xf32, #gpu.address_space<private>> to memref<4xf32, strided<[1], offset: ?>, #gpu.address_space<private>>
// CHECK: linalg.copy ins(%[[ROW]]
func.func @accumulator(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %out: memref<64x64xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 16, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %f0 = arith.constant 0.0 : f32
  %acc = memref.alloca() {alignment = 16 : i64, memspace.reason = "aligned"} : memref<64x64xf32, #gpu.address_space<private>>
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %y = affine.apply #map4(%ty)
  %x = affine.apply #map4(%tx)
  %s0 = memref.subview %acc[%y, %x] [4, 4] [1, 1] : memref<64x64xf32, #gpu.address_space<private>> to memref<4x4xf32, strided<[64, 1], offset: ?>, #gpu.address_space<private>>
  linalg.fill ins(%f0 : f32) outs(%s0 : memref<4x4xf32, strided<[64, 1], offset: ?>, #gpu.address_space<private>>)
  scf.for %k = %c0 to %c8 step %c1 {
    %y1 = arith.muli %ty, %c4 : index
    %tx1 = gpu.thread_id x
    %x2 = arith.addi %tx1, %tx1 : index
    %x1 = arith.addi %x2, %x2 : index
    %s1 = memref.subview %acc[%y1, %x1] [4, 4] [1, 1] : memref<64x64xf32, #gpu.address_space<private>> to memref<4x4xf32, strided<[64, 1], offset: ?>, #gpu.address_space<private>>
    linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%s1 : memref<4x4xf32, strided<[64, 1], offset: ?>, #gpu.address_space<private>>)
  }
  scf.for %k = %c0 to %c4 step %c1 {
    %yk = affine.apply #mapk(%y, %k)
    %s2 = memref.subview %acc[%yk, %x] [1, 4] [1, 1] : memref<64x64xf32, #gpu.address_space<private>> to memref<4xf32, strided<[1], offset: ?>, #gpu.address_space<private>>
    %o = memref.subview %out[%yk, %x] [1, 4] [1, 1] : memref<64x64xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.copy ins(%s2 : memref<4xf32, strided<[1], offset: ?>, #gpu.address_space<private>>) outs(%o : memref<4xf32, strided<[1], offset: ?>>)
  }
  return
}

// -----

#map8 = affine_map<(d0) -> (d0 * 8)>

// A load at 8 * tid + k beside the slice [8 * tid] [8], through nested views.

// CHECK-LABEL: func @load_beside_slice
// CHECK: %[[A:.*]] = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
// CHECK: memref.subview %[[A]][0] [8] [1] : memref<8xf32, #gpu.address_space<private>> to memref<8xf32, strided<[1]>, #gpu.address_space<private>>
// CHECK: memref.subview %{{.*}}[4] [4] [1] : memref<8xf32, strided<[1]>, #gpu.address_space<private>> to memref<4xf32, strided<[1], offset: 4>, #gpu.address_space<private>>
// CHECK: memref.expand_shape %{{.*}} : memref<4xf32, strided<[1], offset: 4>, #gpu.address_space<private>> into memref<2x2xf32, strided<[2, 1], offset: 4>, #gpu.address_space<private>>
// CHECK: scf.for %[[K:.*]] =
// CHECK: memref.load %[[A]][%[[K]]]
// CHECK: vector.load %[[A]][%{{.*}}] : memref<8xf32, #gpu.address_space<private>>, vector<4xf32>
func.func @load_beside_slice(%x: memref<512xf32>, %out: memref<512xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %f0 = arith.constant 0.0 : f32
  %t = memref.alloca() : memref<512xf32, #gpu.address_space<private>>
  %dead = memref.alloca() : memref<512xf32, #gpu.address_space<private>>
  %tid = gpu.thread_id x
  %p = affine.apply #map8(%tid)
  %s = memref.subview %t[%p] [8] [1] : memref<512xf32, #gpu.address_space<private>> to memref<8xf32, strided<[1], offset: ?>, #gpu.address_space<private>>
  %h = memref.subview %s[4] [4] [1] : memref<8xf32, strided<[1], offset: ?>, #gpu.address_space<private>> to memref<4xf32, strided<[1], offset: ?>, #gpu.address_space<private>>
  %e = memref.expand_shape %h [[0, 1]] output_shape [2, 2] : memref<4xf32, strided<[1], offset: ?>, #gpu.address_space<private>> into memref<2x2xf32, strided<[2, 1], offset: ?>, #gpu.address_space<private>>
  linalg.fill ins(%f0 : f32) outs(%s : memref<8xf32, strided<[1], offset: ?>, #gpu.address_space<private>>)
  linalg.fill ins(%f0 : f32) outs(%e : memref<2x2xf32, strided<[2, 1], offset: ?>, #gpu.address_space<private>>)
  scf.for %k = %c0 to %c8 step %c1 {
    %m = arith.muli %tid, %c8 : index
    %i = arith.addi %m, %k : index
    %v = memref.load %t[%i] : memref<512xf32, #gpu.address_space<private>>
    memref.store %v, %out[%i] : memref<512xf32>
  }
  %q = arith.addi %p, %c4 : index
  %v4 = vector.load %t[%q] : memref<512xf32, #gpu.address_space<private>>, vector<4xf32>
  vector.store %v4, %out[%q] : memref<512xf32>, vector<4xf32>
  return
}

// -----

#wave = affine_map<(d0, d1) -> (d0 * 256 + d1 * 4)>

// Four times as many iterations as threads, in two foralls: one slice for each
// wave.

// CHECK-LABEL: func @waves
// CHECK: %[[A:.*]] = memref.alloca() : memref<16xf32, #gpu.address_space<private>>
// CHECK: scf.for %[[W:.*]] =
// CHECK: %[[I:.*]] = affine.apply #[[M:.*]](%[[W]])
// CHECK: memref.subview %[[A]][%[[I]]] [4] [1]
// CHECK: scf.for %[[W1:.*]] =
// CHECK: %[[I1:.*]] = affine.apply #[[M1:.*]](%[[W1]])
// CHECK: memref.load %[[A]][%[[I1]]]
func.func @waves(%out: memref<1024xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %f0 = arith.constant 0.0 : f32
  %t = memref.alloca() : memref<1024xf32, #gpu.address_space<private>>
  %tid = gpu.thread_id x
  scf.for %w = %c0 to %c4 step %c1 {
    %p = affine.apply #wave(%w, %tid)
    %s = memref.subview %t[%p] [4] [1] : memref<1024xf32, #gpu.address_space<private>> to memref<4xf32, strided<[1], offset: ?>, #gpu.address_space<private>>
    linalg.fill ins(%f0 : f32) outs(%s : memref<4xf32, strided<[1], offset: ?>, #gpu.address_space<private>>)
  } {memspace.forall_loop = 0 : i64}
  scf.for %w = %c0 to %c4 step %c1 {
    %p = affine.apply #wave(%w, %tid)
    %i = arith.addi %p, %c2 : index
    %v = memref.load %t[%i] : memref<1024xf32, #gpu.address_space<private>>
    memref.store %v, %out[%i] : memref<1024xf32>
  } {memspace.forall_loop = 1 : i64}
  return
}

// -----

// Linear iterations in waves: row and column of 8 * w + x, x < 8, in rows of 24.

// CHECK: #[[$COL:.*]] = affine_map<(d0) -> (d0 mod 3)>
// CHECK-LABEL: func @linear_waves
// CHECK: %[[A:.*]] = memref.alloca() : memref<4x3xf32, #gpu.address_space<private>>
// CHECK: scf.for %[[W:.*]] =
// CHECK: %[[R:.*]] = arith.divui
// CHECK: %[[C:.*]] = affine.apply #[[$COL]](%[[W]])
// CHECK: memref.store %{{.*}}, %[[A]][%[[R]], %[[C]]]
func.func @linear_waves(%out: memref<4x24xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c24 = arith.constant 24 : index
  %f0 = arith.constant 0.0 : f32
  %t = memref.alloca() : memref<4x24xf32, #gpu.address_space<private>>
  %tid = gpu.thread_id x
  scf.for %w = %c0 to %c12 step %c1 {
    %b = arith.muli %w, %c8 : index
    %l = arith.addi %b, %tid : index
    %i = arith.divui %l, %c24 : index
    %j = arith.remui %l, %c24 : index
    memref.store %f0, %t[%i, %j] : memref<4x24xf32, #gpu.address_space<private>>
  } {memspace.forall_loop = 0 : i64}
  scf.for %w = %c0 to %c12 step %c1 {
    %l = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%w, %tid)
    %ij:2 = affine.delinearize_index %l into (4, 24) : index, index
    %v = memref.load %t[%ij#0, %ij#1] : memref<4x24xf32, #gpu.address_space<private>>
    memref.store %v, %out[%ij#0, %ij#1] : memref<4x24xf32>
  } {memspace.forall_loop = 1 : i64}
  return
}

// -----

// A loop that carries the buffer round unchanged does not hide its uses; a
// uniform fill fills whatever is left.

// CHECK-LABEL: func @carried
// CHECK: memref.alloca() : memref<1xf32, #gpu.address_space<private>>
// CHECK: linalg.fill {{.*}} outs(%{{.*}} : memref<1xf32, #gpu.address_space<private>>)
// CHECK-NOT: iter_args
func.func @carried(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %f0 = arith.constant 0.0 : f32
  %t = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %tid = gpu.thread_id x
  linalg.fill ins(%f0 : f32) outs(%t : memref<64xf32, #gpu.address_space<private>>)
  memref.store %f0, %t[%tid] : memref<64xf32, #gpu.address_space<private>>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%c = %t) -> (memref<64xf32, #gpu.address_space<private>>) {
    %v = memref.load %c[%tid] : memref<64xf32, #gpu.address_space<private>>
    %d = arith.addf %v, %v : f32
    memref.store %d, %c[%tid] : memref<64xf32, #gpu.address_space<private>>
    scf.yield %c : memref<64xf32, #gpu.address_space<private>>
  }
  %v = memref.load %r[%tid] : memref<64xf32, #gpu.address_space<private>>
  memref.store %v, %out[%tid] : memref<64xf32>
  return
}

// -----

// Only the dimension that is proved is cut; a slice at a block offset with a
// size that is only bounded counts with its bound.

// CHECK-LABEL: func @one_dimension
// CHECK: memref.alloca() : memref<1x32xf32, #gpu.address_space<private>>
// CHECK: memref.subview %{{.*}}[0, %{{.*}}] [1, %{{.*}}] [1, 1]
// CHECK: memref.load %{{.*}}[%{{.*}}, %{{.*}}]
func.func @one_dimension(%out: memref<64xf32>, %n: index, %j: index)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %f0 = arith.constant 0.0 : f32
  %t = memref.alloca() : memref<64x32xf32, #gpu.address_space<private>>
  %tid = gpu.thread_id x
  %size = affine.min affine_map<()[s0] -> (s0, 16)>()[%n]
  %s = memref.subview %t[%tid, %j] [1, %size] [1, 1] : memref<64x32xf32, #gpu.address_space<private>> to memref<1x?xf32, strided<[32, 1], offset: ?>, #gpu.address_space<private>>
  linalg.fill ins(%f0 : f32) outs(%s : memref<1x?xf32, strided<[32, 1], offset: ?>, #gpu.address_space<private>>)
  %c0 = arith.constant 0 : index
  %col = memref.load %out[%c0] : memref<64xf32>
  %i = arith.fptosi %col : f32 to i32
  %k = arith.index_cast %i : i32 to index
  %v = memref.load %t[%tid, %k] : memref<64x32xf32, #gpu.address_space<private>>
  memref.store %v, %out[%tid] : memref<64xf32>
  return
}

// -----

// What is not proved stays: a whole use, a neighbour's element, a swapped pair of
// which one is read whole, a call, a wave that runs into the next.

// CHECK-LABEL: func @unproved
// CHECK-COUNT-6: memref.alloca() : memref<64xf32, #gpu.address_space<private>>
// CHECK-NOT: memref.alloca
func.func private @use(memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<private>>)
func.func @unproved(%out: memref<64xf32>, %idx: memref<64xindex>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c8 = arith.constant 8 : index
  %f0 = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %whole = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  memref.store %f0, %whole[%tid] : memref<64xf32, #gpu.address_space<private>>
  memref.copy %whole, %out : memref<64xf32, #gpu.address_space<private>> to memref<64xf32>

  %neighbour = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  memref.store %f0, %neighbour[%tid] : memref<64xf32, #gpu.address_space<private>>
  %r = arith.subi %c63, %tid : index
  %v1 = memref.load %neighbour[%r] : memref<64xf32, #gpu.address_space<private>>
  memref.store %v1, %out[%tid] : memref<64xf32>

  %a = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %b = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  scf.for %k = %c0 to %c8 step %c1 iter_args(%p = %a, %q = %b) -> (memref<64xf32, #gpu.address_space<private>>, memref<64xf32, #gpu.address_space<private>>) {
    memref.store %f0, %p[%tid] : memref<64xf32, #gpu.address_space<private>>
    scf.yield %q, %p : memref<64xf32, #gpu.address_space<private>>, memref<64xf32, #gpu.address_space<private>>
  }
  memref.copy %b, %out : memref<64xf32, #gpu.address_space<private>> to memref<64xf32>

  %called = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %s = memref.subview %called[%tid] [1] [1] : memref<64xf32, #gpu.address_space<private>> to memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<private>>
  func.call @use(%s) : (memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<private>>) -> ()

  %data = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  scf.for %k = %c0 to %c8 step %c1 {
    %i = memref.load %idx[%k] : memref<64xindex>
    memref.store %f0, %data[%i] : memref<64xf32, #gpu.address_space<private>>
  }
  return
}

// -----

// Buffers that control flow chooses from, exchanges or copies are cut alike.

// CHECK-LABEL: func @together
// CHECK-COUNT-4: memref.alloca() : memref<1xf32, #gpu.address_space<private>>
// CHECK-NOT: memref.alloca
// CHECK: scf.for {{.*}} -> (memref<1xf32, #gpu.address_space<private>>, memref<1xf32, #gpu.address_space<private>>)
// CHECK: arith.select {{.*}} : memref<1xf32, #gpu.address_space<private>>
// CHECK: scf.if {{.*}} -> (memref<1xf32, #gpu.address_space<private>>)
// CHECK: linalg.copy ins(%{{.*}} : memref<1xf32, #gpu.address_space<private>>) outs(%{{.*}} : memref<1xf32, #gpu.address_space<private>>)
func.func @together(%out: memref<64xf32>, %n: i1)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %f0 = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %a = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %b = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %c = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %d = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  linalg.fill ins(%f0 : f32) outs(%a : memref<64xf32, #gpu.address_space<private>>)
  %l:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%p = %a, %q = %b) -> (memref<64xf32, #gpu.address_space<private>>, memref<64xf32, #gpu.address_space<private>>) {
    memref.store %f0, %p[%tid] : memref<64xf32, #gpu.address_space<private>>
    scf.yield %q, %p : memref<64xf32, #gpu.address_space<private>>, memref<64xf32, #gpu.address_space<private>>
  }
  %s = arith.select %n, %l#0, %c : memref<64xf32, #gpu.address_space<private>>
  %i = scf.if %n -> (memref<64xf32, #gpu.address_space<private>>) {
    scf.yield %s : memref<64xf32, #gpu.address_space<private>>
  } else {
    scf.yield %l#1 : memref<64xf32, #gpu.address_space<private>>
  }
  linalg.copy ins(%i : memref<64xf32, #gpu.address_space<private>>) outs(%d : memref<64xf32, #gpu.address_space<private>>)
  %v = memref.load %d[%tid] : memref<64xf32, #gpu.address_space<private>>
  memref.store %v, %out[%tid] : memref<64xf32>
  return
}

// -----

// Of a copy of a whole tensor only the slice is needed; a thread without one
// stays within the source. In waves, each of its own.

// CHECK-LABEL: func @copied
// CHECK: %[[T:.*]] = gpu.thread_id
// CHECK: %[[SLICE:.*]] = memref.alloca() : memref<2xf32, #gpu.address_space<private>>
// CHECK: %[[WAVES:.*]] = memref.alloca() : memref<8x1xf32, #gpu.address_space<private>>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:   %[[X:.*]] = affine.apply {{.*}}(%[[I]]){{.*}}%[[T]]
// CHECK:   %[[IN:.*]] = arith.cmpi slt, %[[X]], %{{.*}} : index
// CHECK:   scf.if %[[IN]]
// CHECK:     %[[V:.*]] = memref.load %{{.*}}[%[[X]]] : memref<64xf32>
// CHECK:     memref.store %[[V]], %[[SLICE]][%[[I]]]
// CHECK: scf.for %[[W:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NOT: scf.if
// CHECK:   %[[V:.*]] = memref.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<512x8xf32>
// CHECK:   memref.store %[[V]], %[[WAVES]][%[[W]], %{{.*}}]
func.func @copied(%x: memref<64xf32>, %y: memref<512x8xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %tid = gpu.thread_id x upper_bound 64
  %slice = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %waves = memref.alloca() : memref<512x8xf32, #gpu.address_space<private>>
  memref.copy %x, %slice : memref<64xf32> to memref<64xf32, #gpu.address_space<private>>
  linalg.copy ins(%y : memref<512x8xf32>) outs(%waves : memref<512x8xf32, #gpu.address_space<private>>)
  %in = arith.cmpi slt, %tid, %c32 : index
  scf.if %in {
    %first = arith.muli %tid, %c2 : index
    %second = arith.addi %first, %c1 : index
    %v0 = memref.load %slice[%first] : memref<64xf32, #gpu.address_space<private>>
    %v1 = memref.load %slice[%second] : memref<64xf32, #gpu.address_space<private>>
    %v = arith.addf %v0, %v1 : f32
    memref.store %v, %out[%tid] : memref<64xf32>
  }
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %c0) -> (index) {
    %wave = arith.muli %k, %c64 : index
    %i = arith.addi %wave, %tid : index
    %v = memref.load %waves[%i, %c5] : memref<512x8xf32, #gpu.address_space<private>>
    memref.store %v, %out[%tid] : memref<64xf32>
    scf.yield %s : index
  }
  return
}

// -----

// Vector transfers in bounds count with their vector; two kernels of a module
// are two matters; a zero-trip loop does no harm.

// CHECK-LABEL: gpu.func @transfer
// CHECK: memref.alloca() : memref<2x8xf32, #gpu.address_space<private>>
// CHECK: vector.transfer_write %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] {in_bounds = [true, true]} : vector<2x4xf32>, memref<2x8xf32, #gpu.address_space<private>>
// CHECK: vector.transfer_read %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} {in_bounds = [true]} : memref<2x8xf32, #gpu.address_space<private>>, vector<8xf32>
// CHECK-LABEL: gpu.func @transfer_out_of_bounds
// CHECK: memref.alloca() : memref<32x8xf32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @transfer(%v: vector<2x4xf32>, %out: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %f0 = arith.constant 0.0 : f32
    %t = memref.alloca() : memref<32x8xf32, #gpu.address_space<private>>
    %tid = gpu.thread_id x
    %i = arith.muli %tid, %c2 : index
    vector.transfer_write %v, %t[%i, %c4] {in_bounds = [true, true]} : vector<2x4xf32>, memref<32x8xf32, #gpu.address_space<private>>
    scf.for %k = %c0 to %c0 step %c1 {
      %j = arith.addi %i, %k : index
      memref.store %f0, %t[%j, %c0] : memref<32x8xf32, #gpu.address_space<private>>
    }
    %r = vector.transfer_read %t[%i, %c0], %f0 {in_bounds = [true]} : memref<32x8xf32, #gpu.address_space<private>>, vector<8xf32>
    vector.store %r, %out[%tid, %c0] : memref<16x8xf32>, vector<8xf32>
    gpu.return
  }
  gpu.func @transfer_out_of_bounds(%out: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %t = memref.alloca() : memref<32x8xf32, #gpu.address_space<private>>
    %tid = gpu.thread_id x
    %r = vector.transfer_read %t[%tid, %c0], %f0 : memref<32x8xf32, #gpu.address_space<private>>, vector<16xf32>
    vector.store %r, %out[%tid, %c0] : memref<16x8xf32>, vector<16xf32>
    gpu.return
  }
}

// -----

// Each op of the table of integer ops: the index dialect, casts through narrow
// integers that cannot wrap, masks and shifts, and sizes of the launch.

// CHECK-LABEL: func @index_dialect
// CHECK: memref.alloca() : memref<4xf32, #gpu.address_space<private>>
func.func @index_dialect(%f: f32)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i2 = index.constant 2
  %i4 = index.constant 4
  %a = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %tid = gpu.thread_id x
  scf.for %k = %c0 to %c4 step %c1 {
    %row = index.mul %tid, %i4
    %i = index.add %row, %k
    memref.store %f, %a[%i] : memref<64xf32, #gpu.address_space<private>>
    %shifted = index.shl %tid, %i2
    %back = index.floordivs %i, %i4
    %again = index.mul %back, %i4
    %rest = index.remu %i, %i4
    %j = index.add %again, %rest
    memref.store %f, %a[%j] : memref<64xf32, #gpu.address_space<private>>
    memref.store %f, %a[%shifted] : memref<64xf32, #gpu.address_space<private>>
  }
  return
}

// CHECK-LABEL: func @casts
// CHECK: memref.alloca() : memref<4xf32, #gpu.address_space<private>>
func.func @casts(%f: f32)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n4 = arith.constant 4 : i32
  %a = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %tid = gpu.thread_id x
  %narrow = arith.index_castui %tid : index to i32
  %row = arith.muli %narrow, %n4 : i32
  scf.for %k = %c0 to %c4 step %c1 {
    %n = arith.index_cast %k : index to i32
    %sum = arith.addi %row, %n : i32
    %i = arith.index_cast %sum : i32 to index
    memref.store %f, %a[%i] : memref<64xf32, #gpu.address_space<private>>
  }
  return
}

// An i8 wraps from 128 on, so that this is not 4 · tid: the buffer keeps its size.

// CHECK-LABEL: func @cast_that_wraps
// CHECK: memref.alloca() : memref<256xf32, #gpu.address_space<private>>
func.func @cast_that_wraps(%f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %n4 = arith.constant 4 : i8
  %a = memref.alloca() : memref<256xf32, #gpu.address_space<private>>
  %tid = gpu.thread_id x
  %narrow = arith.index_cast %tid : index to i8
  %row = arith.muli %narrow, %n4 : i8
  %i = arith.index_castui %row : i8 to index
  memref.store %f, %a[%i] : memref<256xf32, #gpu.address_space<private>>
  %c4 = arith.constant 4 : index
  %j = arith.muli %tid, %c4 : index
  memref.store %f, %a[%j] : memref<256xf32, #gpu.address_space<private>>
  return
}

// CHECK-LABEL: func @masks
// CHECK: memref.alloca() : memref<4xf32, #gpu.address_space<private>>
// CHECK: memref.alloca() : memref<3xf32, #gpu.address_space<private>>
func.func @masks(%f: f32, %data: memref<4xindex>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %aligned = arith.constant -4 : index
  %a = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %b = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %tid = gpu.thread_id x
  %threads = gpu.block_dim x
  scf.for %k = %c0 to %c4 step %c1 {
    %row = arith.shli %tid, %c2 : index
    %i = arith.addi %row, %k : index
    memref.store %f, %a[%i] : memref<64xf32, #gpu.address_space<private>>
    %begin = arith.andi %i, %aligned : index
    %rest = arith.andi %i, %c3 : index
    %j = arith.addi %begin, %rest : index
    memref.store %f, %a[%j] : memref<64xf32, #gpu.address_space<private>>
    %lane = arith.divui %tid, %threads : index
    %zero = arith.shrui %lane, %c1 : index
    %l = arith.addi %row, %zero : index
    memref.store %f, %a[%l] : memref<64xf32, #gpu.address_space<private>>
    // Bounds of what is not affine.
    %n = memref.load %data[%k] : memref<4xindex>
    %low = arith.maxsi %n, %c0 : index
    %most = arith.minsi %low, %c2 : index
    memref.store %f, %b[%most] : memref<64xf32, #gpu.address_space<private>>
  }
  return
}
