// The digits of an index stay below their sizes, constant or not: no workgroup
// writes what another does.
// RUN: memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s --allow-empty --implicit-check-not=error --implicit-check-not=warning
// RUN: sed 's/(-d0 + 40, 8)/(-d0 + 40, 9)/' %s | not memspace-opt -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: error: possible data race (WAW) of threads that execute this 'memref.store' in another workgroup
func.func @tiles(%out: memref<40x20xf32>, %v: f32)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 5, 4, 1>} {
  %bx = gpu.block_id x
  %by = gpu.block_id y
  %tid = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = affine.apply affine_map<(d0) -> (d0 * 8)>(%bx)
  %col = affine.apply affine_map<(d0) -> (d0 * 6)>(%by)
  %rows = affine.min affine_map<(d0) -> (-d0 + 40, 8)>(%row)
  %cols = affine.min affine_map<(d0) -> (-d0 + 20, 6)>(%col)
  %size = arith.muli %rows, %cols : index
  %in = arith.cmpi slt, %tid, %size : index
  scf.if %in {
    %ij:2 = affine.delinearize_index %tid into (%rows, %cols) : index, index
    %i = arith.addi %row, %ij#0 : index
    %j = arith.addi %col, %ij#1 : index
    memref.store %v, %out[%i, %j] {memspace.disjoint = array<i64: 1>} : memref<40x20xf32>
  }
  return
}
