//===- VerifierEquations.cpp - equal numbers of two accesses -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierEquations.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::memspace;

bool memspace::simplify(Equation &equation, const KernelContext &context,
                        llvm::function_ref<bool(Value)> isSame) {
  auto isPower = [](int64_t number) {
    return number > 0 && (number & (number - 1)) == 0;
  };
  bool isBitwise = equation.modulus == 0 || isPower(equation.modulus);
  // Terms that both sides have.
  for (auto [value, factor] : equation.left.terms)
    for (auto [other, otherFactor] : equation.right.terms)
      if (value == other && factor == otherFactor && isSame(value)) {
        LinearExpr both = LinearExpr::getVariable(value);
        both *= -factor;
        equation.left += both;
        equation.right += both;
        return true;
      }
  // Sums of indices.
  for (LinearExpr *side : {&equation.left, &equation.right})
    for (auto [value, factor] : side->terms) {
      Operation *sum = value.getDefiningOp();
      if (!sum || !value.getType().isIndex())
        continue;
      IntegerOp kind = getIntegerOp(sum);
      if (kind != IntegerOp::Add && kind != IntegerOp::Sub)
        continue;
      LinearExpr instead = LinearExpr::getVariable(value), first, second;
      instead *= -factor;
      first = LinearExpr(OpFoldResult(sum->getOperand(0)));
      first *= factor;
      second = LinearExpr(OpFoldResult(sum->getOperand(1)));
      second *= kind == IntegerOp::Sub ? -factor : factor;
      instead += first;
      instead += second;
      *side += instead;
      return true;
    }
  if (equation.left.terms.size() != 1 || equation.right.terms.size() != 1 ||
      equation.left.constant != equation.right.constant)
    return false;
  auto [left, leftFactor] = equation.left.terms[0];
  auto [right, rightFactor] = equation.right.terms[0];
  bool isBare = equation.left.constant == 0 && leftFactor == 1;
  if (leftFactor != rightFactor)
    return false;
  if (!isBare) {
    if (equation.modulus != 0)
      return false;
    equation.left = LinearExpr::getVariable(left);
    equation.right = LinearExpr::getVariable(right);
    return true;
  }
  Operation *x = left.getDefiningOp(), *y = right.getDefiningOp();
  if (!x || !y || x->getNumResults() != 1 || x->getName() != y->getName() ||
      left.getType() != right.getType() || !left.getType().isIntOrIndex())
    return false;
  auto set = [&](unsigned mine, unsigned other, int64_t modulus) {
    equation.left = LinearExpr(OpFoldResult(x->getOperand(mine)));
    equation.right = LinearExpr(OpFoldResult(y->getOperand(other)));
    equation.modulus = modulus;
    return true;
  };
  unsigned width = getBitWidth(left.getType());
  switch (IntegerOp kind = getIntegerOp(x)) {
  case IntegerOp::Add:
  case IntegerOp::XOr:
  case IntegerOp::Sub: {
    if (!isBitwise)
      return false;
    for (unsigned i : {0, 1})
      for (unsigned j : {0, 1}) {
        bool isOrdered = kind == IntegerOp::Sub;
        if ((!isOrdered || i == j) && x->getOperand(i) == y->getOperand(j) &&
            isSame(x->getOperand(i)))
          return set(1 - i, 1 - j, equation.modulus);
      }
    return false;
  }
  case IntegerOp::And: {
    std::optional<int64_t> mask = getConstantIntValue(x->getOperand(1));
    if (!mask || *mask < 0 || *mask == std::numeric_limits<int64_t>::max() ||
        mask != getConstantIntValue(y->getOperand(1)) || !isPower(*mask + 1))
      return false;
    if (equation.modulus == 0)
      return set(0, 0, *mask + 1);
    return isBitwise && set(0, 0, std::min(*mask + 1, equation.modulus));
  }
  case IntegerOp::RemU:
  case IntegerOp::RemS: {
    std::optional<int64_t> divisor = getConstantIntValue(x->getOperand(1));
    if (!divisor || *divisor <= 0 ||
        divisor != getConstantIntValue(y->getOperand(1)) ||
        (equation.modulus != 0 && *divisor % equation.modulus != 0))
      return false;
    if (kind == IntegerOp::RemS || !isPower(*divisor))
      for (Value number : {x->getOperand(0), y->getOperand(0)}) {
        IndexRange one;
        one.offset = LinearExpr(OpFoldResult(number));
        one.size = LinearExpr(1);
        auto bounds = ThreadRelations(context).getBounds(one);
        if (!bounds || bounds->first < 0)
          return false;
      }
    return set(0, 0, equation.modulus == 0 ? *divisor : equation.modulus);
  }
  case IntegerOp::CastS:
  case IntegerOp::CastU: {
    Type from = x->getOperand(0).getType();
    if (from != y->getOperand(0).getType() || !from.isIntOrIndex() ||
        !isBitwise)
      return false;
    unsigned before = getBitWidth(from), narrow = std::min(before, width);
    // The low bits that are compared are in both.
    if (equation.modulus != 0)
      return narrow < 63 && equation.modulus > (int64_t(1) << narrow)
                 ? false
                 : set(0, 0, equation.modulus);
    if (before <= width)
      return set(0, 0, 0);
    return width < 63 && set(0, 0, int64_t(1) << width);
  }
  default:
    return false;
  }
}

/// The value that `number` is, if it is no more than that.
static Value getValue(const LinearExpr &number) {
  return !number.invalid && number.constant == 0 && number.terms.size() == 1 &&
                 number.terms[0].second == 1
             ? number.terms[0].first
             : Value();
}

int64_t memspace::getDivisor(const LinearExpr &number) {
  Value value = getValue(number);
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (auto apply = dyn_cast_if_present<affine::AffineApplyOp>(op)) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(apply.getMap().getResult(0));
    auto constant =
        binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : nullptr;
    return constant ? constant.getValue() : 0;
  }
  if (!op || op->getNumOperands() != 2)
    return 0;
  return getConstantIntValue(op->getOperand(1)).value_or(0);
}

Value memspace::getWhole(const LinearExpr &high, const LinearExpr &low) {
  Value quotient = getValue(high), remainder = getValue(low);
  Operation *divide = quotient ? quotient.getDefiningOp() : nullptr;
  Operation *rest = remainder ? remainder.getDefiningOp() : nullptr;
  if (!divide || !rest || getDivisor(high) <= 0 ||
      getDivisor(high) != getDivisor(low) || divide->getNumOperands() == 0 ||
      rest->getNumOperands() == 0 ||
      divide->getOperand(0) != rest->getOperand(0))
    return Value();
  bool isUnsigned = getIntegerOp(divide) == IntegerOp::DivU &&
                    getIntegerOp(rest) == IntegerOp::RemU;
  auto isMap = [](Operation *op, AffineExprKind kind) {
    auto apply = dyn_cast<affine::AffineApplyOp>(op);
    auto binary =
        apply ? dyn_cast<AffineBinaryOpExpr>(apply.getMap().getResult(0))
              : nullptr;
    return binary && binary.getKind() == kind && op->getNumOperands() == 1 &&
           isa<AffineDimExpr, AffineSymbolExpr>(binary.getLHS());
  };
  bool isFloored = isMap(divide, AffineExprKind::FloorDiv) &&
                   isMap(rest, AffineExprKind::Mod);
  return isUnsigned || isFloored ? divide->getOperand(0) : Value();
}
