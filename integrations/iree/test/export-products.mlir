// RUN: iree-memspace-opt %s -iree-memspace-export -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-runner %t.mlir --chip=gfx942 --arg=0:fill:1 --arg=1:iota --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0
// Each result is the sum of a column of B, whose elements count up along it.
// RUN: %compare %t.npy 'i % 16 * 32 * 32 + 31 * 16'

// A tile of a matrix unit becomes its instructions, for each point of the outer dimensions;
// a product of vectors one of outer products.
#map = affine_map<(m, n, k) -> (m, k)>
#map1 = affine_map<(m, n, k) -> (n, k)>
#map2 = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @tiles
// CHECK-NOT: inner_tiled
// CHECK: amdgpu.mfma 16x16x16 %{{.*}} * %{{.*}} + %{{.*}} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
// CHECK: amdgpu.mfma 16x16x16 %{{.*}} * %{{.*}} + %{{.*}} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
// CHECK-NOT: iree
// CHECK: return
func.func @tiles(%a: memref<16x32xf16>, %b: memref<16x32xf16>, %c: memref<16x16xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<1x1x4x1xf32>
  %start = arith.constant dense<0.0> : vector<1x2x1x4xf16>
  %padding = arith.constant 0.0 : f16
  %lane = gpu.thread_id x
  %col = arith.remui %lane, %c16 : index
  %quarter = arith.divui %lane, %c16 : index
  %row = arith.muli %quarter, %c4 : index
  %second = arith.addi %row, %c16 : index
  %a0 = vector.transfer_read %a[%col, %row], %padding {in_bounds = [true]} : memref<16x32xf16>, vector<4xf16>
  %a1 = vector.transfer_read %a[%col, %second], %padding {in_bounds = [true]} : memref<16x32xf16>, vector<4xf16>
  %b0 = vector.transfer_read %b[%col, %row], %padding {in_bounds = [true]} : memref<16x32xf16>, vector<4xf16>
  %b1 = vector.transfer_read %b[%col, %second], %padding {in_bounds = [true]} : memref<16x32xf16>, vector<4xf16>
  %x0 = vector.insert %a0, %start [0, 0, 0] : vector<4xf16> into vector<1x2x1x4xf16>
  %x = vector.insert %a1, %x0 [0, 1, 0] : vector<4xf16> into vector<1x2x1x4xf16>
  %y0 = vector.insert %b0, %start [0, 0, 0] : vector<4xf16> into vector<1x2x1x4xf16>
  %y = vector.insert %b1, %y0 [0, 1, 0] : vector<4xf16> into vector<1x2x1x4xf16>
  %r = iree_codegen.inner_tiled ins(%x, %y) outs(%zero) {
    indexing_maps = [#map, #map1, #map2],
    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
    kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
    semantics = #iree_gpu.mma_semantics<distributed = true, opaque = true>}
    : vector<1x2x1x4xf16>, vector<1x2x1x4xf16> into vector<1x1x4x1xf32>
  %rows = vector.shape_cast %r : vector<1x1x4x1xf32> to vector<4x1xf32>
  vector.transfer_write %rows, %c[%row, %col] {in_bounds = [true, true]} : vector<4x1xf32>, memref<16x16xf32>
  return
}

// CHECK-LABEL: func.func @contracted
// CHECK-NOT: vector.contract
// CHECK: vector.outerproduct
// CHECK: return
func.func @contracted(%a: vector<4x2xf32>, %b: vector<3x2xf32>, %out: memref<4x3xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<4x3xf32>
  %r = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %a, %b, %zero : vector<4x2xf32>, vector<3x2xf32> into vector<4x3xf32>
  vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<4x3xf32>, memref<4x3xf32>
  return
}
