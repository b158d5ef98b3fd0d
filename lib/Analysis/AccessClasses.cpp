//===- AccessClasses.cpp - accesses that differ by constants -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessClasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::memspace;

/// The sum that an op on indices computes directly from its operands.
static std::optional<LinearExpr> getSum(Operation *op) {
  auto getOperand = [&](unsigned index) {
    return LinearExpr(OpFoldResult(op->getOperand(index)));
  };
  if (isa<arith::AddIOp, index::AddOp, arith::SubIOp, index::SubOp>(op)) {
    LinearExpr sum = getOperand(0);
    sum += getOperand(1) * (isa<arith::AddIOp, index::AddOp>(op) ? 1 : -1);
    return sum;
  }
  if (isa<arith::MulIOp, index::MulOp>(op)) {
    LinearExpr lhs = getOperand(0), rhs = getOperand(1);
    if (std::optional<int64_t> factor = rhs.getConstant())
      return lhs * *factor;
    if (std::optional<int64_t> factor = lhs.getConstant())
      return rhs * *factor;
    return std::nullopt;
  }
  auto apply = dyn_cast<affine::AffineApplyOp>(op);
  if (!apply)
    return std::nullopt;
  // Only x + constant, what unrolling leaves.
  auto sum = dyn_cast<AffineBinaryOpExpr>(apply.getAffineMap().getResult(0));
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto constant = dyn_cast<AffineConstantExpr>(sum.getRHS());
  unsigned operand;
  if (auto dim = dyn_cast<AffineDimExpr>(sum.getLHS()))
    operand = dim.getPosition();
  else if (auto symbol = dyn_cast<AffineSymbolExpr>(sum.getLHS()))
    operand = apply.getAffineMap().getNumDims() + symbol.getPosition();
  else
    return std::nullopt;
  if (!constant)
    return std::nullopt;
  LinearExpr result = getOperand(operand);
  result += LinearExpr(constant.getValue());
  return result;
}

LinearExpr AccessClasses::expand(Value value) {
  LinearExpr self{OpFoldResult(value)};
  Operation *op = value.getDefiningOp();
  // Narrower numbers may wrap.
  if (self.terms.empty() || !op || !value.getType().isIndex())
    return self;
  if (auto it = expanded.find(value); it != expanded.end())
    return it->second;
  std::optional<LinearExpr> sum = getSum(op);
  if (!sum)
    return self;
  LinearExpr result(sum->constant);
  for (auto [operand, coefficient] : sum->terms)
    result += expand(operand) * coefficient;
  return expanded[value] = result;
}

void AccessClasses::add(const LinearExpr &expr, Key &key) {
  key.push_back(expr.constant);
  key.push_back(expr.terms.size());
  for (auto [value, coefficient] : expr.terms) {
    key.push_back(reinterpret_cast<intptr_t>(value.getAsOpaquePointer()));
    key.push_back(coefficient);
  }
}

int64_t AccessClasses::add(const IndexRange &range, Key &key) {
  LinearExpr offset(range.offset.constant);
  for (auto [value, coefficient] : range.offset.terms)
    offset += expand(value) * coefficient;
  llvm::sort(offset.terms, [](const auto &a, const auto &b) {
    return a.first.getAsOpaquePointer() < b.first.getAsOpaquePointer();
  });
  int64_t constant = offset.constant;
  offset.constant = 0;
  add(offset, key);
  key.push_back(range.size.has_value());
  if (range.size)
    add(*range.size, key);
  key.push_back(range.stride);
  key.push_back(range.extents.size());
  for (const auto &[size, stride] : range.extents) {
    add(size, key);
    key.push_back(stride);
  }
  return constant;
}

AccessClass AccessClasses::classify(const MemoryAccess &access) {
  AccessClass result;
  Key key;
  auto addPointer = [&](const void *pointer) {
    key.push_back(reinterpret_cast<intptr_t>(pointer));
  };
  // Where it executes, and what the foralls around it promise.
  addPointer(access.op->getBlock());
  for (StringRef name : {kPromiseAttr, kSubgroupPromiseAttr})
    addPointer(access.op->getAttr(name).getAsOpaquePointer());
  key.push_back(access.atomic | access.collective << 1 |
                access.followsMemory << 2);
  addPointer(access.memref ? access.memref.getType().getAsOpaquePointer()
                           : nullptr);

  // Which memory. The bytes of an only base are compared beforehand.
  key.push_back(access.bases.size());
  for (const MemoryBase &base : access.bases) {
    addPointer(base.root);
    addPointer(base.buffer.getAsOpaquePointer());
    key.push_back(base.maybeWorkgroup | base.maybeGlobal << 1 |
                  base.shiftBytes.has_value() << 2 |
                  base.bytes.has_value() << 3);
    if (base.shiftBytes)
      add(*base.shiftBytes, key);
    if (base.bytes && access.bases.size() > 1) {
      key.push_back(base.bytes->first);
      key.push_back(base.bytes->second);
    }
  }
  if (access.view) {
    // Loop-carried buffers are told apart, and the root from its views.
    bool isRoot = access.bases.size() == 1 &&
                  access.view.getAsOpaquePointer() == access.bases.front().root;
    key.push_back(isRoot);
    addPointer(access.view.getType().getAsOpaquePointer());
    if (isa<BlockArgument>(access.view) || access.bases.size() > 1)
      addPointer(access.view.getAsOpaquePointer());
  }

  key.push_back(access.elements ? access.elements->size() : -1);
  if (access.elements)
    for (const IndexRange &range : *access.elements)
      result.constants.push_back(add(range, key));
  key.push_back(access.byteRange.has_value());
  if (access.byteRange)
    result.constants.push_back(add(*access.byteRange, key));

  result.number =
      numbers.try_emplace(std::move(key), numbers.size()).first->second;
  return result;
}
