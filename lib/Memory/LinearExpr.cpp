//===- LinearExpr.cpp - indices as sums of values -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/LinearExpr.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// The number that a loop of one iteration counts, which lowering to loops
/// makes of each dimension of a slice of extent 1.
static std::optional<int64_t> getOnlyNumber(OpFoldResult ofr) {
  auto arg = dyn_cast<BlockArgument>(cast<Value>(ofr));
  if (!arg || !arg.getType().isIndex())
    return std::nullopt;
  CountedLoop loop = CountedLoop::get(arg.getOwner()->getParentOp());
  if (!loop || loop.getInductionVar() != arg || loop.getTripCount() != 1)
    return std::nullopt;
  return loop.getLower().getConstant();
}

LinearExpr::LinearExpr(OpFoldResult ofr) {
  std::optional<int64_t> value = getConstantIntValue(ofr);
  if (!value)
    value = getOnlyNumber(ofr);
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
