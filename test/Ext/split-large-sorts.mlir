// RUN: memspace-test-opt %s -memspace-split-large-sorts='chip=gfx942 workgroup-limit=2048' | FileCheck %s

// A row that does not fit in a workgroup's memory takes two kernels, whoever's sort it is.

// CHECK-LABEL: func.func @row_tiles(
// CHECK: memspace.sort dimension(0)
// CHECK-LABEL: func.func @row_merge(
// CHECK-LABEL: func.func @row(
// CHECK: call @row_tiles
// CHECK-NEXT: call @row_merge
// CHECK-NOT: ext.
func.func @row(%in: memref<1000xi32>, %out: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<1000xi32> to tensor<1000xi32>
  %s = ext.sort dimension(0) outs(%x : tensor<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    ext.yield %c : i1
  } -> tensor<1000xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}
