//===- TrustedModels.cpp - whose claims are believed -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/TrustedModels.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

bool mlir::memspace::hasTrustedModel(Operation *op) {
  // Those that MLIR registers models for, and what has nothing to do with
  // tensors.
  static const llvm::StringSet<> known = {
      "affine",  "arith",         "bufferization", "builtin",    "cf",
      "complex", "func",          "gpu",           "index",      "linalg",
      "math",    "memref",        "memspace",      "ml_program", "scf",
      "shape",   "sparse_tensor", "tensor",        "ub",         "vector"};
  return known.contains(op->getName().getDialectNamespace()) ||
         !isa<BufferizableOpInterface>(op);
}
