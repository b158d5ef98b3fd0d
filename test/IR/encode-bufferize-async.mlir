// A tensor in the value of an asynchronous op lives where it was made.

// RUN: memspace-opt %s --one-shot-bufferize=allow-unknown-ops --verify-diagnostics

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
func.func @awaits(%v: f16) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %c0 = arith.constant 0 : index
  %tok, %av = async.execute -> !async.value<tensor<128x64xf16, #lhs>> {
  %e0 = tensor.empty() {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<128x64xf16, #lhs>
  // expected-note @below {{is on another target here}}
  %a = linalg.fill {memspace.target = #rocdl.target<chip = "gfx942">}
      ins(%v : f16) outs(%e0 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
    async.yield %a : tensor<128x64xf16, #lhs>
  }
  %a = async.await %av : !async.value<tensor<128x64xf16, #lhs>>
  %e = tensor.empty() : tensor<128x64xf16>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16>
  return %x : f16
}
