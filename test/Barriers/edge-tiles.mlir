// Workgroups that share an output by the digits of their number, each of a tile that is
// smaller at the edges: a thread stores what there is of its part of the tile. Which tile a
// workgroup has, and which part a thread, follows from the place that it stores to.
// RUN: memspace-opt %s -memspace-verify-barriers='chip=gfx942 may-hazards=error' -o - | FileCheck %s
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-verify-barriers='chip=gfx942 may-hazards=error' -o - | FileCheck %s

#map3 = affine_map<()[s0] -> (s0 * 64 - (s0 floordiv 10) * 640)>
#map4 = affine_map<()[s0] -> ((s0 floordiv 10) * 16 - ((s0 floordiv 10) floordiv 37) * 592)>

// CHECK-LABEL: func.func @edge_tiles
// CHECK: memref.store
func.func @edge_tiles(%C: memref<12x577x577xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 4440, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %b = gpu.block_id x
  %t = gpu.thread_id x
  %bx = affine.apply affine_map<()[s0] -> (s0 mod 10)>()[%b]
  %by = affine.apply affine_map<()[s0] -> ((s0 floordiv 10) mod 37)>()[%b]
  %bz = affine.apply affine_map<()[s0] -> ((s0 floordiv 10) floordiv 37)>()[%b]
  %ox = affine.apply #map3()[%b]
  %oy = affine.apply #map4()[%b]
  %ny = affine.min affine_map<(d0) -> (d0 * -16 + 577, 16)>(%by)
  %nx = affine.min affine_map<(d0) -> (d0 * -64 + 577, 64)>(%bx)
  %l = affine.apply affine_map<()[s0] -> (s0 mod 64)>()[%t]
  %w = affine.apply affine_map<()[s0] -> ((s0 floordiv 64) mod 4)>()[%t]
  %p:3 = affine.delinearize_index %l into (4, 16) : index, index, index
  %y = affine.linearize_index disjoint [%p#1, %c0] by (4, 4) : index
  %x = affine.linearize_index disjoint [%w, %p#2] by (4, 16) : index
  %my = affine.max affine_map<(d0, d1) -> (0, d0 - d1)>(%ny, %y)
  %sy = affine.min affine_map<(d0) -> (4, d0)>(%my)
  %mx = affine.max affine_map<(d0, d1) -> (0, d0 - d1)>(%nx, %x)
  %sx = affine.min affine_map<(d0) -> (1, d0)>(%mx)
  %s = memref.subview %C[%bz, %oy, %ox] [1, %ny, %nx] [1, 1, 1] : memref<12x577x577xf32> to memref<1x?x?xf32, strided<[332929, 577, 1], offset: ?>>
  %q = memref.subview %s[0, %y, %x] [1, %sy, %sx] [1, 1, 1] : memref<1x?x?xf32, strided<[332929, 577, 1], offset: ?>> to memref<1x?x?xf32, strided<[332929, 577, 1], offset: ?>>
  scf.for %i = %c0 to %c4 step %c1 {
    %g = arith.cmpi slt, %i, %sy : index
    scf.if %g {
      scf.for %j = %c0 to %c1 step %c1 {
        %h = arith.cmpi slt, %j, %sx : index
        scf.if %h {
          memref.store %v, %q[%c0, %i, %j] : memref<1x?x?xf32, strided<[332929, 577, 1], offset: ?>>
        }
      }
    }
  }
  return
}
