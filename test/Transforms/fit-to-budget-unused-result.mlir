// An op that begins with what is in an argument, and whose result nobody uses, does nothing.
// RUN: memspace-opt %s -memspace-fit-to-budget=chip=gfx942 | FileCheck %s

// CHECK-LABEL: func.func @unused(
// CHECK-SAME: gpu.known_block_size
// CHECK-NEXT: return
#window = affine_map<(d0, d1) -> (d0 - d1 + 3)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @unused(%x: memref<19xi32>, %y: memref<16xi32>) {
  %old = bufferization.to_tensor %y restrict writable : memref<16xi32> to tensor<16xi32>
  %in = bufferization.to_tensor %x restrict : memref<19xi32> to tensor<19xi32>
  %extents = tensor.empty() : tensor<4xi32>
  %r = linalg.generic {indexing_maps = [#window, affine_map<(d0, d1) -> (d1)>, #row], iterator_types = ["parallel", "reduction"]}
      ins(%in, %extents : tensor<19xi32>, tensor<4xi32>) outs(%old : tensor<16xi32>) {
  ^bb0(%a: i32, %e: i32, %o: i32):
    %s = arith.addi %o, %a : i32
    linalg.yield %s : i32
  } -> tensor<16xi32>
  return
}
