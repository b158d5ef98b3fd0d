//===- AccessClasses.cpp - accesses that differ by constants -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessClasses.h"
#include "Kernel/ChainDepth.h"
#include "MemSpace/IR/AttributeNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

static int64_t toKey(const void *pointer) {
  return reinterpret_cast<intptr_t>(pointer);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

AccessClasses::Sum AccessClasses::add(Sum lhs, const Sum &rhs, int64_t factor) {
  // As indices do, sums wrap.
  auto addProduct = [factor](int64_t &sum, int64_t number) {
    sum = uint64_t(sum) + uint64_t(number) * uint64_t(factor);
  };
  addProduct(lhs.constant, rhs.constant);
  for (auto [number, coefficient] : rhs.terms) {
    auto *it = llvm::lower_bound(
        lhs.terms, number,
        [](const auto &term, unsigned number) { return term.first < number; });
    if (it == lhs.terms.end() || it->first != number)
      it = lhs.terms.insert(it, {number, 0});
    addProduct(it->second, coefficient);
    if (it->second == 0)
      lhs.terms.erase(it);
  }
  return lhs;
}

void AccessClasses::append(Key &key, const Sum &sum) {
  key.push_back(sum.constant);
  key.push_back(sum.terms.size());
  for (auto [number, coefficient] : sum.terms) {
    key.push_back(number);
    key.push_back(coefficient);
  }
}

AccessClasses::Sum AccessClasses::getNumber(Key key) {
  unsigned number =
      numbers.try_emplace(std::move(key), numbers.size()).first->second;
  Sum sum;
  sum.terms.push_back({number, 1});
  return sum;
}

AccessClasses::Sum AccessClasses::divide(const Sum &sum, int64_t divisor) {
  // What the divisor divides goes around the division.
  Sum whole, rest;
  whole.constant = llvm::divideFloorSigned(sum.constant, divisor);
  rest.constant = llvm::mod(sum.constant, divisor);
  for (auto [number, coefficient] : sum.terms)
    if (coefficient % divisor == 0)
      whole.terms.push_back({number, coefficient / divisor});
    else
      rest.terms.push_back({number, coefficient});
  if (rest.terms.empty())
    return whole;
  Key key{divisor};
  append(key, rest);
  return add(std::move(whole), getNumber(std::move(key)));
}

bool AccessClasses::isNonNegative(Value value) const {
  IndexRange range;
  range.offset = LinearExpr(OpFoldResult(value));
  range.size = LinearExpr(1);
  auto bounds = relations.getBounds(range);
  return bounds && bounds->first >= 0;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

AccessClasses::Sum AccessClasses::getSum(const LinearExpr &expr) {
  // What may be anything is one number like any other.
  if (expr.invalid)
    return getNumber({});
  Sum sum;
  sum.constant = expr.constant;
  for (auto [value, coefficient] : expr.terms)
    sum = add(std::move(sum), getSum(value), coefficient);
  return sum;
}

AccessClasses::Sum AccessClasses::getSum(Value value) {
  if (value.getType().isIntOrIndex())
    if (std::optional<int64_t> constant =
            getConstantIntValue(OpFoldResult(value))) {
      Sum sum;
      sum.constant = *constant;
      return sum;
    }
  auto it = sums.find(value);
  if (it != sums.end())
    return it->second;
  Sum sum = compute(value);
  sums[value] = sum;
  return sum;
}

AccessClasses::Sum AccessClasses::compute(Value value) {
  Operation *op = value.getDefiningOp();
  ChainDepth chain(depth);
  if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
      chain.isTooDeep())
    return getNumber({toKey(value.getAsOpaquePointer())});
  // Narrower numbers may wrap.
  if (value.getType().isIndex())
    if (std::optional<Sum> sum = computeArithmetic(op))
      return *sum;
  Key key{toKey(op->getName().getAsOpaquePointer()),
          toKey(op->getAttrDictionary().getAsOpaquePointer()),
          toKey(value.getType().getAsOpaquePointer()),
          cast<OpResult>(value).getResultNumber()};
  for (Value operand : op->getOperands()) {
    key.push_back(toKey(operand.getType().getAsOpaquePointer()));
    append(key, getSum(operand));
  }
  return getNumber(std::move(key));
}

std::optional<AccessClasses::Sum>
AccessClasses::computeArithmetic(Operation *op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    auto operands = llvm::map_to_vector(
        apply.getMapOperands(), [&](Value operand) { return getSum(operand); });
    ArrayRef<Sum> all(operands);
    return getSum(map.getResult(0), all.take_front(map.getNumDims()),
                  all.drop_front(map.getNumDims()));
  }
  if (op->getNumOperands() != 2 || !op->getOperand(0).getType().isIndex())
    return std::nullopt;
  Sum lhs = getSum(op->getOperand(0)), rhs = getSum(op->getOperand(1));
  if (isa<arith::AddIOp, index::AddOp>(op))
    return add(lhs, rhs);
  if (isa<arith::SubIOp, index::SubOp>(op))
    return add(lhs, rhs, -1);
  if (isa<arith::MulIOp, index::MulOp>(op) && lhs.terms.empty())
    std::swap(lhs, rhs);
  if (!rhs.terms.empty())
    return std::nullopt;
  int64_t number = rhs.constant;
  if (isa<arith::MulIOp, index::MulOp>(op))
    return add(Sum(), lhs, number);
  bool isShift = number >= 0 && number < 32;
  if (isa<arith::ShLIOp, index::ShlOp>(op) && isShift)
    return add(Sum(), lhs, int64_t(1) << number);
  // Division rounds down for all numbers, or for those without a sign.
  if (isa<arith::ShRSIOp, index::ShrSOp>(op) && isShift)
    return divide(lhs, int64_t(1) << number);
  if (number <= 0)
    return std::nullopt;
  if (isa<arith::FloorDivSIOp, index::FloorDivSOp>(op))
    return divide(lhs, number);
  if (isa<arith::AndIOp, index::AndOp>(op) && llvm::isMask_64(number) &&
      number < (int64_t(1) << 32))
    return add(lhs, divide(lhs, number + 1), -number - 1);
  bool isQuotient =
      isa<arith::DivUIOp, index::DivUOp, arith::DivSIOp, index::DivSOp>(op);
  bool isRemainder =
      isa<arith::RemUIOp, index::RemUOp, arith::RemSIOp, index::RemSOp>(op);
  bool isShiftRight = isa<arith::ShRUIOp, index::ShrUOp>(op) && isShift;
  if ((!isQuotient && !isRemainder && !isShiftRight) ||
      !isNonNegative(op->getOperand(0)))
    return std::nullopt;
  if (isShiftRight)
    return divide(lhs, int64_t(1) << number);
  Sum quotient = divide(lhs, number);
  return isQuotient ? quotient : add(lhs, quotient, -number);
}

std::optional<AccessClasses::Sum> AccessClasses::getSum(AffineExpr expr,
                                                        ArrayRef<Sum> dims,
                                                        ArrayRef<Sum> symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    Sum sum;
    sum.constant = constant.getValue();
    return sum;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Sum> lhs = getSum(binary.getLHS(), dims, symbols);
  std::optional<Sum> rhs = getSum(binary.getRHS(), dims, symbols);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return add(*lhs, *rhs);
  if (!rhs->terms.empty())
    return std::nullopt;
  int64_t number = rhs->constant;
  if (expr.getKind() == AffineExprKind::Mul)
    return add(Sum(), *lhs, number);
  if (number <= 0)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return divide(*lhs, number);
  case AffineExprKind::CeilDiv:
    if (llvm::AddOverflow(lhs->constant, number - 1, lhs->constant))
      return std::nullopt;
    return divide(*lhs, number);
  case AffineExprKind::Mod:
    return add(*lhs, divide(*lhs, number), -number);
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

int64_t AccessClasses::append(Key &key, const IndexRange &range) {
  Sum offset = getSum(range.offset);
  int64_t constant = offset.constant;
  offset.constant = 0;
  append(key, offset);
  key.push_back(range.size.has_value());
  if (range.size)
    append(key, getSum(*range.size));
  key.push_back(range.stride);
  key.push_back(range.extents.size());
  for (const auto &[size, stride] : range.extents) {
    append(key, getSum(size));
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
  for (StringRef name :
       {kDisjointAttr, kSubgroupDisjointAttr, kWorkgroupDisjointAttr})
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
      append(key, getSum(*base.shiftBytes));
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
      result.constants.push_back(append(key, range));
  key.push_back(access.byteRange.has_value());
  if (access.byteRange)
    result.constants.push_back(append(key, *access.byteRange));

  result.number =
      classes.try_emplace(std::move(key), classes.size()).first->second;
  return result;
}
