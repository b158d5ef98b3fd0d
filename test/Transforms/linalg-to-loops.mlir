// RUN: memspace-opt %s -memspace-linalg-to-loops -memspace-verify-barriers=subgroup-size=32 | FileCheck %s

// A scatter: that the rows are different ones is what a forall has promised.
// CHECK-LABEL: @scatter
// CHECK: scf.for
// CHECK: memref.load %{{.*}} {memspace.disjoint = array<i64: 3>}
// CHECK: memref.store %{{.*}} {memspace.disjoint = array<i64: 3>}
// CHECK: } {memspace.disjoint = array<i64: 3>}
// CHECK: scf.for
// CHECK-NOT: memspace.disjoint
// CHECK: return
func.func @scatter(%index: memref<64xindex>, %in: memref<64x8xf32>, %out: memref<128x8xf32>, %own: memref<64x8xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %row = memref.load %index[%t] : memref<64xindex>
  %from = memref.subview %in[%t, 0] [1, 8] [1, 1] : memref<64x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %to = memref.subview %out[%row, 0] [1, 8] [1, 1] : memref<128x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %mine = memref.subview %own[%t, 0] [1, 8] [1, 1] : memref<64x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  linalg.copy {memspace.disjoint = array<i64: 3>} ins(%from : memref<8xf32, strided<[1], offset: ?>>) outs(%to : memref<8xf32, strided<[1], offset: ?>>)
  linalg.copy ins(%from : memref<8xf32, strided<[1], offset: ?>>) outs(%mine : memref<8xf32, strided<[1], offset: ?>>)
  return
}

// A tile in registers: the reduction is outside, so that only the tile has to be unrolled,
// and what its elements share is read once.
// CHECK-LABEL: @registers
// CHECK: scf.for %[[K:.*]] = %c0 to %c256
// CHECK:   scf.for %[[I:.*]] = %c0 to %c4
// CHECK:     scf.for %[[J:.*]] = %c0 to %c2
// CHECK:       memref.load %{{.*}}[%[[I]], %[[K]]]
// CHECK:       memref.load %{{.*}}[%[[K]], %[[J]]]
// CHECK:       memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
func.func @registers(%a: memref<4x256xf32>, %b: memref<256x2xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %acc = memref.alloca() : memref<4x2xf32, #gpu.address_space<private>>
  linalg.matmul ins(%a, %b : memref<4x256xf32>, memref<256x2xf32>) outs(%acc : memref<4x2xf32, #gpu.address_space<private>>)
  return
}

// What is no register stays as it is.
// CHECK-LABEL: @memory
// CHECK: scf.for %[[I:.*]] = %c0 to %c4
// CHECK:   scf.for %[[J:.*]] = %c0 to %c2
// CHECK:     scf.for %[[K:.*]] = %c0 to %c256
func.func @memory(%a: memref<4x256xf32>, %b: memref<256x2xf32>, %c: memref<4x2xf32>)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  linalg.matmul ins(%a, %b : memref<4x256xf32>, memref<256x2xf32>) outs(%c : memref<4x2xf32>)
  return
}

// A part of a tile in registers, of at most four rows: a loop of four with a guard, whose
// indices become constants. Of more than 16 it would not be unrolled.
// CHECK-LABEL: @part
// CHECK: %[[N:.*]] = affine.min
// CHECK: scf.for %[[I:.*]] = %c0 to %c4
// CHECK:   %[[IS:.*]] = arith.cmpi slt, %[[I]], %[[N]]
// CHECK:   scf.if %[[IS]]
// CHECK:     scf.for
// CHECK:       memref.store
// CHECK: %[[M:.*]] = affine.min
// CHECK: scf.for %{{.*}} = %c0 to %[[M]]
func.func @part(%n: index, %out: memref<?x2xf32>, %large: memref<?x2xf32>)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %tile = memref.alloca() : memref<4x2xf32, #gpu.address_space<private>>
  %m = affine.min affine_map<()[s0] -> (s0, 4)>()[%n]
  %from = memref.subview %tile[0, 0] [%m, 2] [1, 1] : memref<4x2xf32, #gpu.address_space<private>> to memref<?x2xf32, strided<[2, 1]>, #gpu.address_space<private>>
  %to = memref.subview %out[0, 0] [%m, 2] [1, 1] : memref<?x2xf32> to memref<?x2xf32, strided<[2, 1]>>
  linalg.copy ins(%from : memref<?x2xf32, strided<[2, 1]>, #gpu.address_space<private>>) outs(%to : memref<?x2xf32, strided<[2, 1]>>)
  %table = memref.alloca() : memref<400x2xf32, #gpu.address_space<private>>
  %k = affine.min affine_map<()[s0] -> (s0, 400)>()[%n]
  %source = memref.subview %table[0, 0] [%k, 2] [1, 1] : memref<400x2xf32, #gpu.address_space<private>> to memref<?x2xf32, strided<[2, 1]>, #gpu.address_space<private>>
  %target = memref.subview %large[0, 0] [%k, 2] [1, 1] : memref<?x2xf32> to memref<?x2xf32, strided<[2, 1]>>
  linalg.copy ins(%source : memref<?x2xf32, strided<[2, 1]>, #gpu.address_space<private>>) outs(%target : memref<?x2xf32, strided<[2, 1]>>)
  return
}

// Where an element of the result is read for another one, or the body has effects, the
// order of the elements counts, too.
// CHECK-LABEL: @own_elements
// CHECK: scf.for %[[I:.*]] = %c0 to %c4
// CHECK:   scf.for %[[K:.*]] = %c0 to %c8
// CHECK:     memref.load %{{.*}}[%[[K]]]
// CHECK: scf.for %[[I:.*]] = %c0 to %c4
// CHECK:   scf.for %[[K:.*]] = %c0 to %c9
// CHECK:     memref.load %[[CHOSEN:.*]][%[[K]]]
// CHECK: scf.for %[[I:.*]] = %c0 to %c4
// CHECK:   scf.for %[[K:.*]] = %c0 to %c10
// CHECK:     memref.store %{{.*}}, %{{.*}}[%c0]
func.func @own_elements(%c: i1, %x: memref<10xf32>, %log: memref<1xf32>)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
  %out = memref.subview %t[0] [4] [1] : memref<8xf32, #gpu.address_space<private>> to memref<4xf32, strided<[1]>, #gpu.address_space<private>>
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%t : memref<8xf32, #gpu.address_space<private>>) outs(%out : memref<4xf32, strided<[1]>, #gpu.address_space<private>>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  %u = memref.alloca() : memref<9xf32, #gpu.address_space<private>>
  %v = memref.alloca() : memref<9xf32, #gpu.address_space<private>>
  %chosen = arith.select %c, %u, %v : memref<9xf32, #gpu.address_space<private>>
  %part = memref.subview %u[0] [4] [1] : memref<9xf32, #gpu.address_space<private>> to memref<4xf32, strided<[1]>, #gpu.address_space<private>>
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%chosen : memref<9xf32, #gpu.address_space<private>>) outs(%part : memref<4xf32, strided<[1]>, #gpu.address_space<private>>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  %c0 = arith.constant 0 : index
  %w = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<10xf32>) outs(%w : memref<4xf32, #gpu.address_space<private>>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    memref.store %s, %log[%c0] : memref<1xf32>
    linalg.yield %s : f32
  }
  return
}
