//===- Residues.cpp - numbers, without what all threads share -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Residues.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "PlacementNumbers.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// The op that both sides are a result of, if nothing is done to it.
static std::pair<Operation *, Operation *> getOps(const LinearExpr &left,
                                                  const LinearExpr &right) {
  auto getOp = [](const LinearExpr &expr) -> Operation * {
    bool isPlain = !expr.invalid && expr.terms.size() == 1 &&
                   expr.terms.front().second == 1 && expr.constant == 0;
    return isPlain ? expr.terms.front().first.getDefiningOp() : nullptr;
  };
  Operation *a = getOp(left), *b = getOp(right);
  if (!a || !b || a->getName() != b->getName() || a->getNumResults() != 1)
    return {nullptr, nullptr};
  return {a, b};
}

static bool isPowerOf2(int64_t number) {
  return number > 0 && llvm::isPowerOf2_64(number);
}

bool memspace::strip(Residue &left, Residue &right,
                     const KernelContext &context,
                     llvm::function_ref<bool(Value)> isOne) {
  int64_t modulus = left.modulus;
  bool hasBits = modulus == 0 || isPowerOf2(modulus);
  // Sums of indices do not wrap, and modulo a power of two it does not matter.
  auto expand = [](LinearExpr &expr) {
    for (auto [value, factor] : SmallVector<std::pair<Value, int64_t>>(
             expr.terms.begin(), expr.terms.end())) {
      Operation *op = value.getDefiningOp();
      IntegerOp kind = op ? getIntegerOp(op) : IntegerOp::None;
      if ((kind != IntegerOp::Add && kind != IntegerOp::Sub) ||
          !value.getType().isIndex())
        continue;
      LinearExpr sum = LinearExpr(OpFoldResult(op->getOperand(0)));
      LinearExpr other = LinearExpr(OpFoldResult(op->getOperand(1)));
      other *= kind == IntegerOp::Add ? 1 : -1;
      sum += other;
      sum *= factor;
      LinearExpr gone = LinearExpr::getVariable(value);
      gone *= -factor;
      expr += gone;
      expr += sum;
      return true;
    }
    return false;
  };
  bool isExpanded = expand(left.number);
  isExpanded |= expand(right.number);
  if (isExpanded)
    return true;
  for (auto [value, factor] : left.number.terms) {
    if (!llvm::is_contained(right.number.terms,
                            std::make_pair(value, factor)) ||
        !isOne(value))
      continue;
    LinearExpr gone = LinearExpr::getVariable(value);
    gone *= -factor;
    left.number += gone;
    right.number += gone;
    return true;
  }
  if (left.number.terms.size() == 1 && right.number.terms.size() == 1 &&
      modulus == 0 && left.number.constant == right.number.constant &&
      left.number.terms.front().second == right.number.terms.front().second &&
      (left.number.constant != 0 || left.number.terms.front().second != 1)) {
    for (LinearExpr *side : {&left.number, &right.number})
      *side = LinearExpr::getVariable(Value(side->terms.front().first));
    return true;
  }
  auto [a, b] = getOps(left.number, right.number);
  if (!a)
    return false;
  auto replace = [&](Value x, Value y, int64_t newModulus) {
    left = {LinearExpr(OpFoldResult(x)), newModulus};
    right = {LinearExpr(OpFoldResult(y)), newModulus};
    return true;
  };
  IntegerOp kind = getIntegerOp(a);
  unsigned width = isNumber(a->getResult(0).getType())
                       ? getBitWidth(a->getResult(0).getType())
                       : 0;
  if (width == 0)
    return false;
  switch (kind) {
  case IntegerOp::XOr:
  case IntegerOp::Add:
  case IntegerOp::Sub:
    for (unsigned i = 0; i < 2 && hasBits; ++i)
      for (unsigned j = 0; j < 2; ++j)
        if (a->getOperand(i) == b->getOperand(j) && isOne(a->getOperand(i)) &&
            (i == j || kind != IntegerOp::Sub))
          return replace(a->getOperand(1 - i), b->getOperand(1 - j), modulus);
    return false;
  case IntegerOp::RemU:
  case IntegerOp::RemS:
  case IntegerOp::And: {
    std::optional<int64_t> x = getConstantIntValue(a->getOperand(1));
    std::optional<int64_t> y = getConstantIntValue(b->getOperand(1));
    if (!x || x != y)
      return false;
    int64_t divisor = kind == IntegerOp::And ? *x + 1 : *x;
    if (divisor <= 0 || (modulus != 0 && divisor % modulus != 0))
      return false;
    bool isMask = kind == IntegerOp::And;
    if (isMask && !isPowerOf2(divisor))
      return false;
    // As a number without a sign a negative one is another modulo what is no
    // power of two; the signed remainder of it is negative.
    auto isNonNegative = [&](Value value) {
      IndexRange range;
      range.offset = LinearExpr(OpFoldResult(value));
      range.size = LinearExpr(1);
      auto bounds = ThreadRelations(context).getBounds(range);
      return bounds && bounds->first >= 0;
    };
    bool needsSign = kind == IntegerOp::RemS ||
                     (kind == IntegerOp::RemU && !isPowerOf2(divisor));
    if (needsSign &&
        (!isNonNegative(a->getOperand(0)) || !isNonNegative(b->getOperand(0))))
      return false;
    return replace(a->getOperand(0), b->getOperand(0),
                   modulus == 0 ? divisor : modulus);
  }
  case IntegerOp::CastS:
  case IntegerOp::CastU: {
    Type from = a->getOperand(0).getType();
    if (from != b->getOperand(0).getType() || !isNumber(from) || !hasBits)
      return false;
    unsigned source = getBitWidth(from);
    if (width >= source) // Equal in the wide type exactly if in the narrow one.
      return modulus == 0 || modulus <= (int64_t(1) << std::min(source, 62u))
                 ? replace(a->getOperand(0), b->getOperand(0), modulus)
                 : false;
    if (modulus == 0 && width >= 62)
      return false;
    return replace(a->getOperand(0), b->getOperand(0),
                   modulus == 0 ? int64_t(1) << width : modulus);
  }
  default:
    return false;
  }
}

namespace {
/// `number` = op(dividend, divisor): the quotient or the remainder.
struct Digit {
  Value dividend;
  int64_t divisor;
  bool isRemainder, isSigned;
};
} // namespace

static std::optional<Digit> getDigit(const LinearExpr &number) {
  Operation *op = getOps(number, number).first;
  if (!op)
    return std::nullopt;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    auto divide = dyn_cast<AffineBinaryOpExpr>(apply.getMap().getResult(0));
    bool isRemainder = divide && divide.getKind() == AffineExprKind::Mod;
    if (!divide || apply.getMapOperands().size() != 1 ||
        (!isRemainder && divide.getKind() != AffineExprKind::FloorDiv) ||
        !isa<AffineDimExpr, AffineSymbolExpr>(divide.getLHS()))
      return std::nullopt;
    auto divisor = dyn_cast<AffineConstantExpr>(divide.getRHS());
    if (!divisor || divisor.getValue() <= 0)
      return std::nullopt;
    return Digit{apply.getMapOperands().front(), divisor.getValue(),
                 isRemainder, /*isSigned=*/true};
  }
  IntegerOp kind = getIntegerOp(op);
  bool isRemainder = kind == IntegerOp::RemU;
  if (!isRemainder && kind != IntegerOp::DivU)
    return std::nullopt;
  std::optional<int64_t> divisor = getConstantIntValue(op->getOperand(1));
  if (!divisor || *divisor <= 0)
    return std::nullopt;
  return Digit{op->getOperand(0), *divisor, isRemainder, /*isSigned=*/false};
}

void memspace::joinDigits(SmallVectorImpl<LinearExpr> &left,
                          SmallVectorImpl<LinearExpr> &right) {
  for (unsigned i = 0; i < left.size(); ++i)
    for (unsigned j = 0; j < left.size(); ++j) {
      auto a = getDigit(left[i]), b = getDigit(left[j]);
      auto c = getDigit(right[i]), d = getDigit(right[j]);
      if (!a || !b || !c || !d || a->isRemainder || !b->isRemainder ||
          c->isRemainder || !d->isRemainder || a->dividend != b->dividend ||
          c->dividend != d->dividend ||
          llvm::any_of(ArrayRef{*b, *c, *d}, [&](const Digit &other) {
            return other.divisor != a->divisor || other.isSigned != a->isSigned;
          }))
        continue;
      left[i] = LinearExpr(OpFoldResult(a->dividend));
      right[i] = LinearExpr(OpFoldResult(c->dividend));
      left[j] = right[j] = LinearExpr(0);
    }
}
