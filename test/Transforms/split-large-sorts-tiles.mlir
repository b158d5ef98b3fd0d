// Where each element is searched in all tiles at once, they are as large as fits. Those that
// become one in rounds leave work for more workgroups.
// RUN: memspace-opt %s -memspace-split-large-sorts=chip=gfx942 | FileCheck %s

// CHECK-LABEL: func.func @large_tiles_tiles(
// CHECK: memspace.sort_indices {{.*}}tensor<8192xf32>
// CHECK-LABEL: func.func @small_tiles_tiles(
// CHECK: memspace.sort_indices {{.*}}tensor<2048xi32>
func.func @large_tiles(%in: memref<131072xf32>, %out: memref<131072xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memspace.sort_indices dimension(0) ins(%in : memref<131072xf32>) outs(%out : memref<131072xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  }
  return
}
func.func @small_tiles(%in: memref<131072xi32>, %out: memref<131072xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  memspace.sort_indices dimension(0) ins(%in : memref<131072xi32>) outs(%out : memref<131072xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  }
  return
}
