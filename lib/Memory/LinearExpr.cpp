//===- LinearExpr.cpp - indices as sums of values -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/LinearExpr.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

LinearExpr::LinearExpr(OpFoldResult ofr) {
  std::optional<int64_t> value = getConstantIntValue(ofr);
  *this = value ? LinearExpr(*value) : getVariable(cast<Value>(ofr));
}

void IndexRange::scale(int64_t factor) {
  offset *= factor;
  auto multiply = [&](int64_t &stride) {
    offset.invalid |= bool(llvm::MulOverflow(stride, factor, stride));
  };
  multiply(stride);
  for (auto &extent : extents)
    multiply(extent.second);
}
