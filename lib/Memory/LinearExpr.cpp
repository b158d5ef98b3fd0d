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
  if (std::optional<int64_t> value = getConstantIntValue(ofr))
    constant = *value;
  else
    terms.emplace_back(cast<Value>(ofr), 1);
}

LinearExpr &LinearExpr::operator+=(const LinearExpr &other) {
  invalid |= other.invalid |
             bool(llvm::AddOverflow(constant, other.constant, constant));
  for (auto [value, coefficient] : other.terms) {
    auto *it = llvm::find_if(
        terms, [&, v = value](const auto &term) { return term.first == v; });
    if (it == terms.end()) {
      terms.emplace_back(value, coefficient);
      continue;
    }
    invalid |= bool(llvm::AddOverflow(it->second, coefficient, it->second));
    if (it->second == 0)
      terms.erase(it);
  }
  return *this;
}

LinearExpr LinearExpr::operator*(int64_t factor) const {
  LinearExpr result;
  if (factor == 0)
    return result;
  result.invalid =
      invalid | bool(llvm::MulOverflow(constant, factor, result.constant));
  for (auto [value, coefficient] : terms) {
    int64_t product;
    result.invalid |= bool(llvm::MulOverflow(coefficient, factor, product));
    result.terms.emplace_back(value, product);
  }
  return result;
}

std::optional<int64_t> LinearExpr::getConstant() const {
  if (terms.empty() && !invalid)
    return constant;
  return std::nullopt;
}

void IndexRange::scale(int64_t factor) {
  offset = offset * factor;
  auto multiply = [&](int64_t &stride) {
    offset.invalid |= bool(llvm::MulOverflow(stride, factor, stride));
  };
  multiply(stride);
  for (auto &extent : extents)
    multiply(extent.second);
}
