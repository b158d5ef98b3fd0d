// Without an analysis nobody asked where tensors live: what depends on it is
// refused.

// RUN: memspace-opt %s --one-shot-bufferize=copy-before-write --verify-diagnostics
// RUN: memspace-opt %s --one-shot-bufferize="bufferize-function-boundaries no-analysis-func-filter=moves" --verify-diagnostics

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
func.func @moves(%v: f16) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %c0 = arith.constant 0 : index
  %e0 = tensor.empty() {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<128x64xf16, #lhs>
  %a = linalg.fill {memspace.target = #rocdl.target<chip = "gfx942">}
      ins(%v : f16) outs(%e0 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  // expected-error @below {{failed to bufferize op}}
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x : f16
}
