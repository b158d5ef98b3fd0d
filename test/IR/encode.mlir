// RUN: memspace-opt %s -split-input-file | memspace-opt -split-input-file | FileCheck %s --check-prefix=TEXT
// RUN: memspace-opt %s -split-input-file -canonicalize | FileCheck %s

// Attributes are printed as they are written.

// TEXT-LABEL: func @text
// TEXT-SAME: tensor<30x64xf32, #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 8], outer_dims_perm = [1, 0], padding_multiples = [2, 1], divisors = [1, 64]>>
// TEXT-SAME: tensor<8xf32, #memspace.tiled_layout<>>
// TEXT-SAME: tensor<128x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>>
// TEXT-SAME: tensor<3x?x64xf16, #memspace.matmul_operand<rhs transposed, types = [f16, f16, f32], sizes = [128, ?, 64], divisors = [1, 32, 1]>>
func.func @text(
    %a: tensor<30x64xf32, #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 8], outer_dims_perm = [1, 0], padding_multiples = [2, 1], divisors = [1, 64]>>,
    %b: tensor<8xf32, #memspace.tiled_layout<>>,
    %c: tensor<128x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>>,
    %d: tensor<3x?x64xf16, #memspace.matmul_operand<rhs transposed, types = [f16, f16, f32], sizes = [128, ?, 64], divisors = [1, 32, 1]>>) {
  return
}

// -----

#tiled = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [4]>
#lhs = #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [8, 8, 8]>

// Set and unset: nothing is left. From layout to layout: one step.

// CHECK-LABEL: func @round_trip
// CHECK-SAME: (%[[A:.*]]: tensor<8x8xf32>
// CHECK-NEXT: return %[[A]]
func.func @round_trip(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32, #lhs>
  %f = tensor.empty() : tensor<8x8xf32>
  %b = memspace.encode ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32, #lhs>)
  %c = memspace.encode ins(%b : tensor<8x8xf32, #lhs>) outs(%f : tensor<8x8xf32>)
  return %c : tensor<8x8xf32>
}

// CHECK-LABEL: func @chain
// CHECK-SAME: (%[[A:.*]]: tensor<8x8xf32, #memspace.matmul_operand<
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<8x8xf32, #memspace.tiled_layout<
// CHECK-NEXT: %[[C:.*]] = memspace.encode ins(%[[A]] : tensor<8x8xf32, #memspace.matmul_operand<{{.*}}>) outs(%[[E]] :
// CHECK-NEXT: return %[[C]]
func.func @chain(%a: tensor<8x8xf32, #lhs>) -> tensor<8x8xf32, #tiled> {
  %e = tensor.empty() : tensor<8x8xf32>
  %f = tensor.empty() : tensor<8x8xf32, #tiled>
  %b = memspace.encode ins(%a : tensor<8x8xf32, #lhs>) outs(%e : tensor<8x8xf32>)
  %c = memspace.encode ins(%b : tensor<8x8xf32>) outs(%f : tensor<8x8xf32, #tiled>)
  return %c : tensor<8x8xf32, #tiled>
}

// One layout on all targets; what is in an empty tensor may be anything.

// CHECK-LABEL: func @same_tiles
// CHECK-SAME: (%[[A:arg0]]: {{.*}}, %[[D:arg1]]: {{.*}})
// CHECK-NEXT: return %[[A]], %[[D]]
func.func @same_tiles(%a: tensor<8x8xf32, #tiled>, %d: tensor<8x8xf32, #tiled>)
    -> (tensor<8x8xf32, #tiled>, tensor<8x8xf32, #tiled>) {
  %b = memspace.encode ins(%a : tensor<8x8xf32, #tiled>) outs(%d : tensor<8x8xf32, #tiled>)
  %e = tensor.empty() : tensor<8x8xf32>
  %c = memspace.encode ins(%e : tensor<8x8xf32>) outs(%d : tensor<8x8xf32, #tiled>)
  return %b, %c : tensor<8x8xf32, #tiled>, tensor<8x8xf32, #tiled>
}

// One encoding may be two layouts on two targets: the op stays.

// CHECK-LABEL: func @other_device
// CHECK: memspace.encode
// CHECK-SAME: memspace.target = #nvvm.target
func.func @other_device(%a: tensor<8x8xf32, #lhs>, %d: tensor<8x8xf32, #lhs>) -> tensor<8x8xf32, #lhs> {
  %b = memspace.encode ins(%a : tensor<8x8xf32, #lhs>) outs(%d : tensor<8x8xf32, #lhs>)
      {memspace.target = #nvvm.target<chip = "sm_90">}
  return %b : tensor<8x8xf32, #lhs>
}

// Extents that contradict each other are left alone.

// CHECK-LABEL: func @contradiction
// CHECK-COUNT-2: memspace.encode
func.func @contradiction(%a: tensor<7xf32>, %n: index) -> tensor<8xf32, #tiled> {
  %e = tensor.empty(%n) : tensor<?xf32, #tiled>
  %f = tensor.empty() : tensor<8xf32, #tiled>
  %b = memspace.encode ins(%a : tensor<7xf32>) outs(%e : tensor<?xf32, #tiled>)
  %c = memspace.encode ins(%b : tensor<?xf32, #tiled>) outs(%f : tensor<8xf32, #tiled>)
  return %c : tensor<8xf32, #tiled>
}

// An encode that names the target of its destination is not skipped, nor is one
// that promises more of the extents than its shape says.
// CHECK-LABEL: func.func @names
// CHECK: %[[B:.*]] = memspace.encode {{.*}}memspace.target = #rocdl.target<chip = "gfx950">
// CHECK: %[[C:.*]] = memspace.encode ins(%[[B]]
// CHECK: return %[[C]]
func.func @names(%a: tensor<64x64xf16>, %d: tensor<64x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>>, %e: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %b = memspace.encode ins(%a : tensor<64x64xf16>) outs(%d : tensor<64x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>>)
      {memspace.target = #rocdl.target<chip = "gfx950">}
  %c = memspace.encode ins(%b : tensor<64x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>>) outs(%e : tensor<64x64xf16>)
  return %c : tensor<64x64xf16>
}
// CHECK-LABEL: func.func @promises
// CHECK: %[[B:.*]] = memspace.encode
// CHECK: memspace.encode ins(%[[B]]
func.func @promises(%a: tensor<?x64xf32>, %e: tensor<?x64xf32, #memspace.tiled_layout<divisors = [128, 1]>>, %f: tensor<?x64xf32, #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 64]>>) -> tensor<?x64xf32, #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 64]>> {
  %b = memspace.encode ins(%a : tensor<?x64xf32>) outs(%e : tensor<?x64xf32, #memspace.tiled_layout<divisors = [128, 1]>>)
  %c = memspace.encode ins(%b : tensor<?x64xf32, #memspace.tiled_layout<divisors = [128, 1]>>) outs(%f : tensor<?x64xf32, #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 64]>>)
  return %c : tensor<?x64xf32, #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 64]>>
}
