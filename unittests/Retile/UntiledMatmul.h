//===- UntiledMatmul.h - a function to tile -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_UNITTESTS_RETILE_UNTILEDMATMUL_H
#define MEMSPACE_UNITTESTS_RETILE_UNTILEDMATMUL_H

#include "llvm/Support/FormatVariadic.h"
#include <string>

namespace mlir {
namespace memspace {

/// @matmul: m x k by k x n, all f32.
inline std::string getUntiledMatmul(int64_t m, int64_t n, int64_t k) {
  return llvm::formatv(R"mlir(
func.func @matmul(%A: memref<{0}x{2}xf32>, %B: memref<{2}x{1}xf32>, %out: memref<{0}x{1}xf32>) {{
  %a = bufferization.to_tensor %A restrict : memref<{0}x{2}xf32> to tensor<{0}x{2}xf32>
  %b = bufferization.to_tensor %B restrict : memref<{2}x{1}xf32> to tensor<{2}x{1}xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{0}x{1}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %c = linalg.matmul ins(%a, %b : tensor<{0}x{2}xf32>, tensor<{2}x{1}xf32>)
      outs(%f : tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  bufferization.materialize_in_destination %c in restrict writable %out
      : (tensor<{0}x{1}xf32>, memref<{0}x{1}xf32>) -> ()
  return
})mlir",
                       m, n, k)
      .str();
}

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_UNITTESTS_RETILE_UNTILEDMATMUL_H
